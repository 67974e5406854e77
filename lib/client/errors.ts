import type { EditRun, ErrorBody, Run } from "./schemas";

/** What every error of this client is, so that one `instanceof` tells them from all others. */
export class LatheError extends Error {
  override readonly name: string = "LatheError";
}

/** An error that the service answered with. `code` is stable, `message` is for people. */
export class LatheApiError extends LatheError {
  override readonly name: string = "LatheApiError";
  readonly status: number;
  /**
   * The service's code; `UNEXPECTED_ANSWER` when something else answered in its place, such as a
   * proxy.
   */
  readonly code: ErrorBody["error"] | "UNEXPECTED_ANSWER";
  /**
   * What the service says to people, without status and code; null when something else answered.
   */
  readonly serviceMessage: string | null;
  /** The broken places of the request, of `INVALID_INPUT`. */
  readonly details: NonNullable<ErrorBody["details"]>;
  /** Quote it when you report a problem. */
  readonly requestId: string | null;
  /** Seconds to wait before another try, when the service said so. */
  readonly retryAfter: number | null;
  /** The whole body: its JSON, or its text when it is none. */
  readonly body: unknown;

  /**
   * `body` is the answer's JSON, or its text when it is none; `now` (milliseconds) is for a
   * `Retry-After` that is a date.
   */
  constructor(response: Response, body: unknown, now: number) {
    const known = isErrorBody(body) ? body : null;
    super(
      `${response.status} ` +
        `${known ? `${known.error}: ${known.message}` : "The answer is none of this API."}`,
    );
    this.status = response.status;
    this.serviceMessage = known?.message || null;
    this.code = known?.error ?? "UNEXPECTED_ANSWER";
    this.details = known?.details ?? [];
    this.requestId = response.headers.get("x-request-id");
    this.retryAfter = readRetryAfter(response.headers, body, now);
    this.body = body;
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  return (
    typeof body === "object" &&
    body !== null &&
    "error" in body &&
    typeof body.error === "string" &&
    "message" in body
  );
}

/**
 * No whole answer came: the connection failed or broke, the time was up, or what came was no answer
 * of this API. `cause` says more.
 */
export class LatheConnectionError extends LatheError {
  override readonly name: string = "LatheConnectionError";
}

/**
 * The connection broke before a streamed run had told its id, so nobody knows whether it was
 * started. It is not started a second time:
 * look for it with `list("/v1/runs")` (a pair of your own in `metadata` finds it), or start it by
 * `runs.create`, which may be repeated.
 */
export class LatheRunUnknownError extends LatheConnectionError {
  override readonly name: string = "LatheRunUnknownError";
}

/**
 * The run ended, and not well: it failed (`code` is the run's failure code) or was cancelled
 * (`RUN_CANCELLED`), or it was to build an agent and asked or refused in its place
 * (`AGENT_BUILD_FAILED`; `run.result.build` has the question). `run` is its last state.
 */
export class LatheRunError extends LatheError {
  override readonly name: string = "LatheRunError";
  readonly code: string;

  constructor(readonly run: Run | EditRun) {
    const other =
      run.status === "cancelled"
        ? "RUN_CANCELLED"
        : run.result?.build
          ? "AGENT_BUILD_FAILED"
          : "EXECUTION_FAILED";
    const code = run.error?.code ?? other;
    super(
      `Run ${run.run_id} ` +
        `${run.status === "completed" ? "made no agent" : `ended as ${run.status}`}: ` +
        `${run.error?.message ?? run.result?.text ?? code}`,
    );
    this.code = code;
  }
}

/**
 * A run's events could not be read to their end. The run itself may go on: go on from
 * `lastSequenceNumber` with `runs.events`, or wait for its end with `runs.wait`. `cause` is what
 * went wrong last.
 */
export class LatheStreamError extends LatheError {
  override readonly name: string = "LatheStreamError";

  constructor(
    message: string,
    readonly runId: string,
    readonly lastSequenceNumber: number,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** The time given for waiting is up. The run goes on; `runId` is what to wait for again. */
export class LatheTimeoutError extends LatheError {
  override readonly name: string = "LatheTimeoutError";

  constructor(
    message: string,
    readonly runId: string,
  ) {
    super(message);
  }
}

type WebhookFault =
  | "missing_header"
  | "bad_timestamp"
  | "too_old"
  | "too_new"
  | "bad_signature"
  | "bad_payload";

/** A call that did not prove to be the service's. Answer it with a 4xx and do nothing with it. */
export class LatheWebhookError extends LatheError {
  override readonly name: string = "LatheWebhookError";

  constructor(
    readonly fault: WebhookFault,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The seconds that an answer asks to wait: by `Retry-After`, as a number or a date, else by its
 * body's `retryAfterSeconds`. Null when it asks for nothing that can be understood. `now` in
 * milliseconds.
 */
function readRetryAfter(headers: Headers, body: unknown, now: number): number | null {
  return readHeader(headers.get("retry-after"), now) ?? readBody(body);
}

function readHeader(header: string | null, now: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // `Date.parse` takes much more than dates of HTTP; all of those begin with the day of the week.
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}

function readBody(body: unknown): number | null {
  const seconds =
    typeof body === "object" && body !== null && "retryAfterSeconds" in body
      ? body.retryAfterSeconds
      : null;
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0
    ? Math.ceil(seconds)
    : null;
}
