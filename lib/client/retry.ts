import type { Clock } from "./clock";
import { LatheApiError, LatheConnectionError } from "./errors";

const PASSING = new Set([429, 500, 502, 503, 504]);

/** Whether asking again later may help: what a restart, a crash, a full budget or a broken line leave behind. */
export function isRetryable(error: unknown): error is LatheConnectionError | LatheApiError {
  return error instanceof LatheConnectionError || (error instanceof LatheApiError && PASSING.has(error.status));
}

const FIRST_MS = 500;
const MAX_MS = 8_000;
/** Of many who were told the same time, not all shall come back in the same instant. */
const SPREAD_MS = 1_000;

/**
 * Milliseconds to wait before try number `retry` (from 0): what the answer asked for and a little more, or exponential backoff with full
 * jitter. Null when the answer asks for more than `maxRetryAfterSeconds`: then giving up is better than holding the caller.
 */
export function retryDelay(retry: number, retryAfterSeconds: number | null, maxRetryAfterSeconds: number, clock: Clock): number | null {
  if (retryAfterSeconds === null) return clock.random() * Math.min(MAX_MS, FIRST_MS * 2 ** retry);
  return retryAfterSeconds > maxRetryAfterSeconds ? null : retryAfterSeconds * 1000 + clock.random() * SPREAD_MS;
}
