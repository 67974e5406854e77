import "server-only";
import { createHash } from "node:crypto";

/** A W3C trace parent in parts. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

const FORM = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** What the header `traceparent` says; null where it says nothing that can be used (W3C Trace Context §3.2). */
export function readTraceParent(text: string | null | undefined): TraceParent | null {
  const match = FORM.exec(text ?? "");
  const [, traceId = "", spanId = "", flags = ""] = match ?? [];
  if (!match || text?.startsWith("ff") || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function toTraceParent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/**
 * Where a run stands in a trace. Its span is made when it has ended, by whichever process ends it, but its steps have to name it from the first one on:
 * so its id is made of the run's. A run of no trace (accepted while no collector was configured) begins one of its own, whose id is the run's.
 */
export function runTraceParent(runId: string, accepted: string | null): { own: string; parent: string | null } {
  const from = readTraceParent(accepted);
  const traceId = from?.traceId ?? runId.replaceAll("-", "");
  const spanId = createHash("sha256").update(`run ${runId}`).digest("hex").slice(0, 16);
  const own = toTraceParent({ traceId, spanId, isSampled: from?.isSampled ?? true });
  // What began with the run itself names it as its own parent, see `acceptedTraceParent`.
  return { own, parent: from === null || from.spanId === spanId ? null : toTraceParent(from) };
}
