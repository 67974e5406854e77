import "server-only";
import { createHash } from "node:crypto";
import { definePart } from "@/lib/service";

export type SpanAttributes = Record<string, string | number | boolean | string[] | undefined>;
export type SpanKind = "internal" | "server" | "client";

/** A span that is open. */
export interface OpenSpan {
  /** What another process or a later time joins the trace by (W3C Trace Context). */
  readonly traceParent: string;
  set(attributes: SpanAttributes): void;
  /**
   * Marks it as failed: by the kind of the error alone, because a message may hold what people
   * wrote.
   */
  fail(kind: string): void;
  end(at?: Date): void;
}

export interface SpanStart {
  name: string;
  kind?: SpanKind;
  attributes?: SpanAttributes;
  /** Of whom it is a part; absent: of the span that is open around the call; null: of none. */
  parent?: string | null;
  /** A trace parent that it came with and is no part of; what is none is passed over. */
  link?: string;
  /** The ids that it must have: those of a trace parent that was given away before it began. */
  as?: string;
  at?: Date;
}

/** What makes spans, while a collector is configured. */
export interface Telemetry {
  start(start: SpanStart): OpenSpan;
  /** Makes `span` the one that is open around all that `work` does. */
  within<T>(span: OpenSpan, work: () => T): T;
  current(): OpenSpan | null;
  /** Does `work` when nobody waits for it; one such after the other. */
  later(work: () => Promise<void>): void;
  /** Sends what was not sent yet. */
  flush(): Promise<void>;
  /** Sends what was not sent yet, and ends what sends. */
  close(): Promise<void>;
}

const holder = definePart("telemetry", (): { telemetry: Telemetry | null } => ({
  telemetry: null,
}));

/** Null while no collector is configured: then nothing is made, and nothing is paid for it. */
export function telemetry(): Telemetry | null {
  return holder().telemetry;
}

export function setTelemetry(made: Telemetry | null): void {
  holder().telemetry = made;
}

/** What `work` may say of its span; without a collector nobody listens. */
export type SpanNotes = Pick<OpenSpan, "set" | "fail">;

const NOBODY: SpanNotes = { set: () => {}, fail: () => {} };

/**
 * Does `work` within a span, which ends with it and fails with what it throws. Without a collector
 * it is the call of `work` and nothing more.
 * @param start the span's name, or more of it; a function where attributes cost something to make
 */
export async function span<T>(
  start: string | SpanStart | (() => SpanStart),
  work: (span: SpanNotes) => Promise<T>,
): Promise<T> {
  const made = telemetry();
  if (made === null) return work(NOBODY);
  const open = made.start(
    typeof start === "string" ? { name: start } : typeof start === "function" ? start() : start,
  );
  try {
    return await made.within(open, () => work(open));
  } catch (error) {
    open.fail(errorKind(error));
    throw error;
  } finally {
    open.end();
  }
}

/** The code of an error that has one, else its class. Never its message. */
function errorKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** A W3C trace parent in parts. */
interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

const FORM = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/**
 * What the header `traceparent` says; null where it says nothing that can be used (W3C Trace
 * Context §3.2).
 */
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
 * Where a run stands in a trace. Its span is made when it has ended, by whichever process ends it,
 * but its steps have to name it from the first one on:
 * so its id is made of the run's. A run of no trace (accepted while no collector was configured)
 * begins one of its own, whose id is the run's.
 */
export function runTraceParent(
  runId: string,
  accepted: string | null,
): { own: string; parent: string | null } {
  const from = readTraceParent(accepted);
  const traceId = from?.traceId ?? runId.replaceAll("-", "");
  const spanId = createHash("sha256").update(`run ${runId}`).digest("hex").slice(0, 16);
  const own = toTraceParent({ traceId, spanId, isSampled: from?.isSampled ?? true });
  // What began with the run itself names it as its own parent, see `acceptedTraceParent`.
  return { own, parent: from === null || from.spanId === spanId ? null : toTraceParent(from) };
}
