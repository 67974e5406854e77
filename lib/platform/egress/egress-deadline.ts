import "server-only";
import { EgressFailed } from "./egress-failed";

/** One signal for a whole call: the caller's own, and a clock that ends it with `EgressFailed` `timeout`. */
export type EgressDeadline = {
  signal: AbortSignal;
  restart: (timeoutMs: number) => void;
  stop: () => void;
  abort: (reason: unknown) => void;
};

/** Starts the clock. `stop` must be called at the end, else the timer outlives the call. */
export function startEgressDeadline(timeoutMs: number, outer?: AbortSignal): EgressDeadline {
  const controller = new AbortController();
  const expire = () => controller.abort(new EgressFailed("timeout"));
  const follow = () => controller.abort(outer?.reason);
  let timer = setTimeout(expire, timeoutMs);
  if (outer?.aborted) follow();
  else outer?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    restart: (ms) => {
      clearTimeout(timer);
      timer = setTimeout(expire, ms);
    },
    stop: () => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", follow);
    },
    abort: (reason) => controller.abort(reason),
  };
}
