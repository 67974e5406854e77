import type { Clock } from "./clock";
import { LatheApiError, LatheConnectionError } from "./errors";

export interface TransportOptions {
  fetch: (request: Request) => Promise<Response>;
  /** Tries after the first. */
  maxRetries: number;
  /** For each try: to the end of a JSON answer, to the headers of any other. */
  timeoutMs: number;
  maxRetryAfterSeconds: number;
  clock: Clock;
}

export interface Transport {
  /**
   * Tries again where that is safe. Answers of any status are returned; rejects with
   * `LatheConnectionError`, or with the signal's reason.
   */
  send(request: Request): Promise<Response>;
  /** One try. */
  sendOnce(request: Request): Promise<Response>;
  /** One try with a deadline of its own, for what takes longer than a question: files. */
  onceWithin(timeoutMs: number): (request: Request) => Promise<Response>;
}

/** What a try came to, in a form to decide by. */
interface Failure {
  /** Nobody knows whether the service did what it was asked. */
  lost: boolean;
  status: number | null;
  code: string | null;
  retryAfter: number | null;
}

/**
 * Sends requests as the API wants to be retried: 429 for every method, since a refused request
 * leaves nothing behind; 502, 503, 504 and broken connections only for GET, PUT, DELETE and
 * whatever carries an `Idempotency-Key`. A key whose first try was lost may meet that try still
 * being accepted (409 `IDEMPOTENCY_CONFLICT`); that, too, is tried again. Nothing else is.
 */
export function createTransport(options: TransportOptions): Transport {
  return {
    send: (request) => send(request, options),
    sendOnce: (request) => sendOnce(request, options),
    onceWithin: (timeoutMs) => (request) => sendOnce(request, { ...options, timeoutMs }),
  };
}

async function send(request: Request, options: TransportOptions): Promise<Response> {
  const { clock, maxRetries, maxRetryAfterSeconds } = options;
  let lostBefore = false;
  for (let retry = 0; ; retry += 1) {
    // Without a copy the body is gone after the first try.
    const mayRepeat = retry < maxRetries && isRepeatable(request);
    const outcome = await sendOnce(mayRepeat ? request.clone() : request, options).catch(
      toConnectionError,
    );
    const failure = mayRepeat ? await failureOf(outcome, clock) : null;
    const delay =
      failure && isRetried(request, failure, lostBefore)
        ? retryDelay(retry, failure.retryAfter, maxRetryAfterSeconds, clock)
        : null;
    if (!failure || delay === null) {
      if (outcome instanceof LatheConnectionError) throw outcome;
      return outcome;
    }
    lostBefore ||= failure.lost;
    // An answer that nobody reads would hold its connection.
    if (outcome instanceof Response) await outcome.body?.cancel();
    await clock.sleep(delay, request.signal);
  }
}

function toConnectionError(error: unknown): LatheConnectionError {
  if (error instanceof LatheConnectionError) return error;
  throw error;
}

/** JSON, or no body at all. An upload is not kept in memory for the case that it fails. */
function isRepeatable(request: Request): boolean {
  const type = request.headers.get("content-type");
  return type === null
    ? request.method !== "POST" || request.body === null
    : type.startsWith("application/json");
}

async function failureOf(
  outcome: Response | LatheConnectionError,
  clock: Clock,
): Promise<Failure | null> {
  if (outcome instanceof LatheConnectionError)
    return { lost: true, status: null, code: null, retryAfter: null };
  const { status } = outcome;
  if (![409, 429, 502, 503, 504].includes(status)) return null;
  // The body is in memory already when it is JSON, and of no use otherwise.
  const { code, retryAfter } = new LatheApiError(
    outcome,
    isJson(outcome) ? await readJson(outcome.clone()) : null,
    clock.now(),
  );
  return { lost: status >= 502, status, code, retryAfter };
}

function isRetried(request: Request, { status, code }: Failure, lostBefore: boolean): boolean {
  if (status === 429) return true;
  if (status === 409) return lostBefore && code === "IDEMPOTENCY_CONFLICT";
  return (
    ["GET", "HEAD", "PUT", "DELETE"].includes(request.method) ||
    request.headers.has("idempotency-key")
  );
}

async function sendOnce(
  request: Request,
  { fetch, timeoutMs }: TransportOptions,
): Promise<Response> {
  const { signal } = request;
  signal.throwIfAborted();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  try {
    const response = await fetch(
      new Request(request, { signal: AbortSignal.any([signal, deadline.signal]) }),
    );
    return isJson(response) ? await readWhole(response) : response;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const what = deadline.signal.aborted
      ? `no answer within ${timeoutMs} ms`
      : "the connection failed or broke";
    throw new LatheConnectionError(`${request.method} ${new URL(request.url).pathname}: ${what}`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

function isJson(response: Response): boolean {
  return (
    (response.headers.get("content-type") ?? "").startsWith("application/json") &&
    response.body !== null
  );
}

/**
 * An answer that breaks off in its middle is a broken connection, not an answer: so it is read
 * before it is given on.
 */
async function readWhole(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

const RETRYABLE_STATUSES = new Set([429, 500, 502, 503, 504]);

/**
 * Whether asking again later may help: what a restart, a crash, a full budget or a broken line
 * leave behind.
 */
export function isRetryable(error: unknown): error is LatheConnectionError | LatheApiError {
  return (
    error instanceof LatheConnectionError ||
    (error instanceof LatheApiError && RETRYABLE_STATUSES.has(error.status))
  );
}

const FIRST_MS = 500;
const MAX_MS = 8_000;
/** Of many who were told the same time, not all shall come back in the same instant. */
const SPREAD_MS = 1_000;

/**
 * Milliseconds to wait before try number `retry` (from 0): what the answer asked for and a little
 * more, or exponential backoff with full jitter. Null when the answer asks for more than
 * `maxRetryAfterSeconds`: then giving up is better than holding the caller.
 */
export function retryDelay(
  retry: number,
  retryAfterSeconds: number | null,
  maxRetryAfterSeconds: number,
  clock: Clock,
): number | null {
  if (retryAfterSeconds === null) return clock.random() * Math.min(MAX_MS, FIRST_MS * 2 ** retry);
  return retryAfterSeconds > maxRetryAfterSeconds
    ? null
    : retryAfterSeconds * 1000 + clock.random() * SPREAD_MS;
}
