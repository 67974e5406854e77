import "server-only";
import {
  readTraceParent,
  runTraceParent,
  type SpanAttributes,
  type SpanNotes,
  type SpanStart,
  span,
  telemetry,
  toTraceParent,
} from "@/lib/platform/telemetry/telemetry";

/** A run in the traces: its id and what `acceptedTraceParent` gave when it was accepted, which is kept with it. */
export interface TracedRun {
  id: string;
  traceParent: string | null;
}

/**
 * What to keep with a run that is being accepted, so that its steps, in whichever process, join the trace of whoever asked for it: a request, or the tool
 * call of another run. A run that nobody asked for (a schedule's) begins a trace. Null while no collector is configured.
 */
export function acceptedTraceParent(runId: string): string | null {
  const made = telemetry();
  if (made === null) return null;
  const current = made.current();
  if (current) return current.traceParent;
  // The span itself is never ended, and so never sent: what counts are its trace's id and whether it is to be recorded.
  const root = readTraceParent(made.start({ name: "run", parent: null }).traceParent);
  const own = readTraceParent(runTraceParent(runId, null).own);
  return root && own && toTraceParent({ ...root, spanId: own.spanId });
}

/** Does one step of a run within a span of its own, a part of the run's. */
export function runStep<T>(run: TracedRun, name: string, attributes: SpanAttributes, work: (span: SpanNotes) => Promise<T>): Promise<T> {
  const start = (): SpanStart => ({
    name,
    attributes: { "lathe.run.id": run.id, ...attributes },
    parent: runTraceParent(run.id, run.traceParent).own,
  });
  return span(start, work);
}

/** Sends the span of a run that has ended: called once, by whoever ended it. `failure` is the code that it failed of. */
export function sendRunSpan(
  run: TracedRun & { name: string; attributes: SpanAttributes; from: Date; to: Date; failure: string | null },
): void {
  const made = telemetry();
  if (made === null) return;
  const { own, parent } = runTraceParent(run.id, run.traceParent);
  const open = made.start({
    name: run.name,
    as: own,
    parent,
    at: run.from,
    attributes: { "gen_ai.operation.name": "invoke_agent", "lathe.run.id": run.id, ...run.attributes },
  });
  if (run.failure !== null) open.fail(run.failure);
  open.end(run.to);
}
