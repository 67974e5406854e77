import "server-only";
import { newId } from "@/lib/platform/ids";
import { postgres } from "@/lib/platform/postgres";
import type { FailedCall } from "@/lib/runtime/models/stream-turn";

/** A part of a run that no other row tells of, as `store_run_spans` takes it. */
export interface RunSpan {
  id: string;
  turn: number;
  kind: "retry" | "model" | "compaction";
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
 * @param last what the last of them is: a `retry` where an answer followed, a `model` call where none did
 */
export function toFailedSpans(turn: number, failed: readonly FailedCall[], last: "retry" | "model"): RunSpan[] {
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
export function toAbortedSpan(turn: number, model: string, startedAt: number, charge: string): RunSpan {
  const tookMs = performance.now() - startedAt;
  const plain = { id: newId(), turn, kind: "model" as const, name: model, status: "cancelled" as const, output: null, error: null };
  return { ...plain, ago_ms: tookMs, took_ms: tookMs, attributes: { charge } };
}

/** Stores what a turn that came to nothing leaves for the trace. */
export async function storeRunSpans(runId: string, spans: readonly RunSpan[]): Promise<void> {
  if (spans.length === 0) return;
  await postgres().query({ name: "store-run-spans", text: "SELECT store_run_spans($1, $2)", values: [runId, JSON.stringify(spans)] });
}
