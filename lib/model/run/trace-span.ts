import type { JsonValue } from "@/lib/model/json-schema/json-value";

export const SPAN_KINDS = [
  "queue",
  "turn",
  "model",
  "tool",
  "approval",
  "compaction",
  "webhook",
  "retry",
] as const;
export const SPAN_STATUSES = ["running", "succeeded", "failed", "cancelled"] as const;

/** One part of what a run did. Its credits are its own: those of all spans add up to the run's. */
export interface TraceSpan {
  spanId: string;
  parentId: string | null;
  kind: (typeof SPAN_KINDS)[number];
  name: string;
  status: (typeof SPAN_STATUSES)[number];
  startedAt: Date;
  endedAt: Date | null;
  credits: number;
  attributes: Record<string, JsonValue>;
  input: JsonValue;
  output: JsonValue;
  error: { code: string; message: string } | null;
  /** Whether the input or the output is the beginning of one. */
  truncated: boolean;
}

/** What most spans have nothing of. */
export const NOTHING_MORE = {
  credits: 0,
  attributes: {},
  input: null,
  output: null,
  error: null,
  truncated: false,
} satisfies Partial<TraceSpan>;
