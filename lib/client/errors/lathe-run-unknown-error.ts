import { LatheConnectionError } from "./lathe-connection-error";

/**
 * The connection broke before a streamed run had told its id, so nobody knows whether it was started. It is not started a second time:
 * look for it with `list("/v1/runs")` (a pair of your own in `metadata` finds it), or start it by `runs.create`, which may be repeated.
 */
export class LatheRunUnknownError extends LatheConnectionError {
  override readonly name: string = "LatheRunUnknownError";
}
