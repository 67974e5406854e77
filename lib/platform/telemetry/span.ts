import "server-only";
import { type OpenSpan, type SpanStart, telemetry } from "./telemetry";

/** What `work` may say of its span; without a collector nobody listens. */
export type SpanNotes = Pick<OpenSpan, "set" | "fail">;

const NOBODY: SpanNotes = { set: () => {}, fail: () => {} };

/**
 * Does `work` within a span, which ends with it and fails with what it throws. Without a collector it is the call of `work` and nothing more.
 * @param start the span's name, or more of it; a function where attributes cost something to make
 */
export async function span<T>(start: string | SpanStart | (() => SpanStart), work: (span: SpanNotes) => Promise<T>): Promise<T> {
  const made = telemetry();
  if (made === null) return work(NOBODY);
  const open = made.start(typeof start === "string" ? { name: start } : typeof start === "function" ? start() : start);
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
export function errorKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
