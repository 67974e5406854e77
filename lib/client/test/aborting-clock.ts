import { type Clock, SYSTEM_CLOCK } from "../clock";

const HOUR_MS = 3_600_000;

/** A clock with which every wait would take an hour, did not `controller` abort with "enough" while it lasts. */
export function abortingClock(controller: AbortController): Clock {
  return {
    ...SYSTEM_CLOCK,
    sleep(_, signal) {
      queueMicrotask(() => controller.abort(new Error("enough")));
      return SYSTEM_CLOCK.sleep(HOUR_MS, signal);
    },
  };
}
