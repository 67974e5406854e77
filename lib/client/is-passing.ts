import { LatheApiError } from "./errors/lathe-api-error";
import { LatheConnectionError } from "./errors/lathe-connection-error";

const PASSING = new Set([429, 500, 502, 503, 504]);

/** Whether asking again later may help: what a restart, a crash, a full budget or a broken line leave behind. */
export function isPassing(error: unknown): error is LatheConnectionError | LatheApiError {
  return error instanceof LatheConnectionError || (error instanceof LatheApiError && PASSING.has(error.status));
}
