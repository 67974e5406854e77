import "server-only";
import { createHash } from "node:crypto";
import type { TraceSpan } from "@/lib/model/run/trace-span";
import {
  readTraceParent,
  runTraceParent,
  type SpanAttributes,
  type SpanKind,
  telemetry,
  toTraceParent,
} from "@/lib/platform/telemetry/telemetry";

/**
 * A run in the traces: its id and what `acceptedTraceParent` gave when it was accepted, which is
 * kept with it.
 */
export interface TracedRun {
  id: string;
  traceParent: string | null;
}

/**
 * What to keep with a run that is being accepted, so that its steps, in whichever process, join the
 * trace of whoever asked for it: a request, or the tool call of another run. A run that nobody
 * asked for (a schedule's) begins a trace. Null while no collector is configured.
 */
export function acceptedTraceParent(runId: string): string | null {
  const made = telemetry();
  if (made === null) return null;
  const current = made.current();
  if (current) return current.traceParent;
  // The span itself is never ended, and so never sent: what counts are its trace's id and whether
  // it is to be recorded.
  const root = readTraceParent(made.start({ name: "run", parent: null }).traceParent);
  const own = readTraceParent(runTraceParent(runId, null).own);
  return root && own && toTraceParent({ ...root, spanId: own.spanId });
}

/**
 * The ids of a part of a run, by its name in the run's trace: whoever sends it, and whatever names
 * it as its parent, makes the same of it.
 */
function traceParentOf(run: TracedRun, spanId: string): string {
  const own = readTraceParent(runTraceParent(run.id, run.traceParent).own);
  if (own === null) throw new Error("a run's own trace parent could not be read");
  return toTraceParent({
    ...own,
    spanId: createHash("sha256").update(`run ${run.id} ${spanId}`).digest("hex").slice(0, 16),
  });
}

/**
 * Does what is a part of a run so that what it asks others for joins the trace below that part. The
 * part's own span is sent with the run's others, when the run has ended: this one is never ended,
 * and so never sent.
 */
export function withinTraceSpan<T>(
  run: TracedRun,
  spanId: string,
  work: () => Promise<T>,
): Promise<T> {
  const made = telemetry();
  if (made === null) return work();
  return made.within(
    made.start({
      name: spanId,
      as: traceParentOf(run, spanId),
      parent: runTraceParent(run.id, run.traceParent).own,
    }),
    work,
  );
}

/**
 * Sends parts of a run that have ended, under ids that follow from theirs. What went in and what
 * came out is not told, nor a message of an error.
 */
export function sendTraceSpans(run: TracedRun, spans: readonly TraceSpan[]): void {
  const made = telemetry();
  if (made === null) return;
  const { own } = runTraceParent(run.id, run.traceParent);
  for (const span of spans) {
    if (span.endedAt === null) continue;
    const { name, kind, attributes } = toOtel(span);
    const open = made.start({
      ...{ name, kind, at: span.startedAt },
      as: traceParentOf(run, span.spanId),
      parent: span.parentId === null ? own : traceParentOf(run, span.parentId),
      attributes: {
        "lathe.run.id": run.id,
        "lathe.span.id": span.spanId,
        "lathe.span.status": span.status,
        ...(span.credits > 0 && { "lathe.credits": span.credits }),
        ...attributes,
      },
    });
    if (span.status === "failed") open.fail(span.error?.code ?? "failed");
    open.end(span.endedAt);
  }
}

// The names of OpenTelemetry's registry, where they differ from ours.
const PROVIDERS: Record<string, string> = { google: "gcp.gemini" };

interface OtelPart {
  name: string;
  kind: SpanKind;
  attributes: SpanAttributes;
}

/**
 * A part of a run by OpenTelemetry's names for generative AI; what it has no name for is under
 * `lathe.`.
 */
function toOtel({ kind, name, attributes: own }: TraceSpan): OtelPart {
  const number = (key: string) => (typeof own[key] === "number" ? own[key] : undefined);
  const text = (key: string) => (typeof own[key] === "string" ? own[key] : undefined);
  if (kind === "model" || kind === "retry") {
    const [vendor = "", model = name] = name.split(/\/(.*)/s);
    const provider = PROVIDERS[vendor] ?? vendor;
    const finish = text("finish_reason");
    const attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      // The older name of the same, which many tools still read.
      "gen_ai.system": provider,
      "gen_ai.request.model": model,
      "gen_ai.response.id": text("request_id"),
      "gen_ai.response.finish_reasons": finish === undefined ? undefined : [finish],
      "gen_ai.usage.input_tokens": number("input_tokens"),
      "gen_ai.usage.output_tokens": number("output_tokens"),
      "gen_ai.usage.cache_read.input_tokens": number("cached_input_tokens"),
      "gen_ai.usage.reasoning.output_tokens": number("reasoning_tokens"),
      "lathe.first_token_ms": number("first_token_ms"),
      "lathe.attempt": number("attempt"),
    };
    return { name: `chat ${model}`, kind: "client", attributes };
  }
  if (kind === "tool") {
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": text("tool_call_id"),
      "gen_ai.tool.type": "function",
    };
    return { name: `execute_tool ${name}`, kind: "internal", attributes };
  }
  if (kind === "webhook") {
    // Its path and query may hold a secret of the receiver's.
    const attributes = {
      "http.request.method": "POST",
      "server.address": URL.canParse(name) ? new URL(name).host : undefined,
      "http.response.status_code": number("status_code"),
      "lathe.attempt": number("attempt"),
      "lathe.delivery.id": text("delivery_id"),
    };
    return { name: "webhook", kind: "client", attributes };
  }
  if (kind === "approval")
    return {
      name: `approval ${name}`,
      kind: "internal",
      attributes: {
        "gen_ai.tool.name": name,
        "lathe.approval.id": text("approval_id"),
        "lathe.decision": text("decision"),
      },
    };
  return { name: kind, kind: "internal", attributes: { "lathe.turn": number("turn") } };
}

/**
 * Sends the span of a run that has ended: called once, by whoever ended it. `failure` is the code
 * that it failed of.
 */
export function sendRunSpan(
  run: TracedRun & {
    name: string;
    attributes: SpanAttributes;
    from: Date;
    to: Date;
    failure: string | null;
  },
): void {
  const made = telemetry();
  if (made === null) return;
  const { own, parent } = runTraceParent(run.id, run.traceParent);
  const open = made.start({
    name: run.name,
    as: own,
    parent,
    at: run.from,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "lathe.run.id": run.id,
      ...run.attributes,
    },
  });
  if (run.failure !== null) open.fail(run.failure);
  open.end(run.to);
}
