import { readRetryAfter } from "../retry-after";
import type { ErrorBody } from "../schemas";
import { LatheError } from "./lathe-error";

/** An error that the service answered with. `code` is stable, `message` is for people. */
export class LatheApiError extends LatheError {
  override readonly name: string = "LatheApiError";
  readonly status: number;
  /** The service's code; `UNEXPECTED_ANSWER` when something else answered in its place, such as a proxy. */
  readonly code: ErrorBody["error"] | "UNEXPECTED_ANSWER";
  /** The broken places of the request, of `INVALID_INPUT`. */
  readonly details: NonNullable<ErrorBody["details"]>;
  /** Quote it when you report a problem. */
  readonly requestId: string | null;
  /** Seconds to wait before another try, when the service said so. */
  readonly retryAfter: number | null;
  /** The whole body: its JSON, or its text when it is none. */
  readonly body: unknown;

  /** `body` is the answer's JSON, or its text when it is none; `now` (milliseconds) is for a `Retry-After` that is a date. */
  constructor(response: Response, body: unknown, now: number) {
    const known = isErrorBody(body) ? body : null;
    super(`${response.status} ${known ? `${known.error}: ${known.message}` : "The answer is none of this API."}`);
    this.status = response.status;
    this.code = known?.error ?? "UNEXPECTED_ANSWER";
    this.details = known?.details ?? [];
    this.requestId = response.headers.get("x-request-id");
    this.retryAfter = readRetryAfter(response.headers, body, now);
    this.body = body;
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === "object" && body !== null && "error" in body && typeof body.error === "string" && "message" in body;
}
