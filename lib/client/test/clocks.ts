import { type Clock, SYSTEM_CLOCK } from "../clock";

interface FakeClock extends Clock {
  /** Every wait that was asked for, in milliseconds. */
  slept: number[];
}

/** A clock whose waits are over at once, while its time goes on by them. */
export function fakeClock({
  random = 0.5,
  now = Date.parse("2026-01-01T00:00:00Z"),
} = {}): FakeClock {
  const slept: number[] = [];
  const passed = () => slept.reduce((sum, ms) => sum + ms, 0);
  return {
    slept,
    now: () => now + passed(),
    random: () => random,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
    },
  };
}

const HOUR_MS = 3_600_000;

/**
 * A clock with which every wait would take an hour, did not `controller` abort with "enough" while
 * it lasts.
 */
export function abortingClock(controller: AbortController): Clock {
  return {
    ...SYSTEM_CLOCK,
    sleep(_, signal) {
      queueMicrotask(() => controller.abort(new Error("enough")));
      return SYSTEM_CLOCK.sleep(HOUR_MS, signal);
    },
  };
}
