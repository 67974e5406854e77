import type { ErrorDetail } from "@/lib/model/errors";

/** A refusal as the service worded it, or `OFFLINE` when no answer came. */
export class ConsoleError extends Error {
  override readonly name = "ConsoleError";
  constructor(
    readonly code: string,
    message: string,
    /** The HTTP status; 0 when no answer came. */
    readonly status: number,
    readonly details: ErrorDetail[] = [],
    /** Seconds to wait, when the service named them. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}
