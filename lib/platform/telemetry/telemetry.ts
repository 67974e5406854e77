import "server-only";
import { once } from "@/lib/platform/once";

export type SpanAttributes = Record<string, string | number | boolean | string[] | undefined>;
export type SpanKind = "internal" | "server" | "client";

/** A span that is open. */
export interface OpenSpan {
  /** What another process or a later time joins the trace by (W3C Trace Context). */
  readonly traceParent: string;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed: by the kind of the error alone, because a message may hold what people wrote. */
  fail(kind: string): void;
  end(at?: Date): void;
}

export interface SpanStart {
  name: string;
  kind?: SpanKind;
  attributes?: SpanAttributes;
  /** Of whom it is a part; absent: of the span that is open around the call; null: of none. */
  parent?: string | null;
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
  /** Sends what was not sent yet. */
  flush(): Promise<void>;
}

const holder = (): { telemetry: Telemetry | null } => once("telemetry", () => ({ telemetry: null }));

/** Null while no collector is configured: then nothing is made, and nothing is paid for it. */
export function telemetry(): Telemetry | null {
  return holder().telemetry;
}

export function setTelemetry(made: Telemetry | null): void {
  holder().telemetry = made;
}
