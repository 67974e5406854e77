import "server-only";
import { RunFailure } from "@/lib/model/run/run-failure";
import { callSql } from "@/lib/platform/call-sql";
import { newId } from "@/lib/platform/ids";
import { metrics } from "@/lib/platform/metrics/metrics";
import { postgres } from "@/lib/platform/postgres";
import type { SpanPart } from "@/lib/platform/sql-functions";
import { type TracedRun, withinTraceSpan } from "@/lib/platform/telemetry/run-spans";
import type { FailedCall } from "@/lib/runtime/models/stream-turn";

/** A part of a run that no other row tells of. */
export interface RunSpan {
  id: string;
  turn: number;
  /** `tool`: a call of a shadow run, which stands within a call of the run itself. */
  kind: "retry" | "model" | "compaction" | "tool";
  name: string;
  status: "succeeded" | "failed" | "cancelled";
  /** How long ago it began, in milliseconds: the database's clock tells when that was. */
  ago_ms: number;
  took_ms: number;
  attributes: object;
  output: object | null;
  error: { code: string; message: string } | null;
}

/**
 * Calls of models that came to nothing.
 * @param last what the last of them is: a `retry` where an answer followed, a `model` call where
 * none did
 */
export function toFailedSpans(
  turn: number,
  failed: readonly FailedCall[],
  last: "retry" | "model",
): RunSpan[] {
  const now = performance.now();
  return failed.map(({ model, startedAt, tookMs, code, message }, index) => ({
    id: newId(),
    turn,
    kind: index === failed.length - 1 ? last : "retry",
    name: model,
    status: "failed",
    ago_ms: now - startedAt,
    took_ms: tookMs,
    attributes: { attempt: index + 1 },
    output: null,
    error: { code, message },
  }));
}

/** A call of a model that was broken off, and is charged under `charge`. */
export function toAbortedSpan(
  turn: number,
  model: string,
  startedAt: number,
  charge: string,
): RunSpan {
  const tookMs = performance.now() - startedAt;
  const plain = {
    id: newId(),
    turn,
    kind: "model" as const,
    name: model,
    status: "cancelled" as const,
    output: null,
    error: null,
  };
  return { ...plain, ago_ms: tookMs, took_ms: tookMs, attributes: { charge } };
}

/** Stores what a turn that came to nothing leaves for the trace. */
export async function storeRunSpans(runId: string, spans: readonly RunSpan[]): Promise<void> {
  if (spans.length === 0) return;
  await callSql(postgres(), "store_run_spans", { run: runId, spans: toSpanParts(spans) });
}

/** Parts of a run as the functions of the database take them. */
export function toSpanParts(spans: readonly RunSpan[]): SpanPart[] {
  return spans.map((span) => ({
    ...span,
    attributes: JSON.stringify(span.attributes),
    output: span.output && JSON.stringify(span.output),
    error: span.error && JSON.stringify(span.error),
  }));
}

/**
 * Takes one turn of a run, its time in the metrics. Its span is sent with the run's others, made of
 * what it has stored.
 */
export function observedTurn<T>(work: () => Promise<T>): Promise<T> {
  return observed("turn", work);
}

/** Makes one tool call of a run likewise; a run that it starts joins the trace below it. */
export function observedCall<T>(
  run: TracedRun,
  toolCallId: string,
  work: () => Promise<T>,
): Promise<T> {
  return observed("tool", () => withinTraceSpan(run, `tool-${toolCallId}`, work));
}

async function observed<T>(step: "turn" | "tool", work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const tell = (outcome: string) =>
    metrics()?.steps.observe({ step, outcome }, (performance.now() - startedAt) / 1000);
  try {
    const result = await work();
    tell("ok");
    return result;
  } catch (error) {
    // A `RunFailure` is an end that the run comes to; whatever else is thrown is tried again by the
    // engine.
    tell(error instanceof RunFailure ? "failed" : "error");
    throw error;
  }
}
