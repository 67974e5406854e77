import type { Clock } from "./clock";
import { LatheTimeoutError } from "./errors/lathe-timeout-error";
import { isPassing } from "./is-passing";

export interface WaitOptions {
  signal?: AbortSignal;
  /** Gives up waiting, not the run, after so many milliseconds. Without it, waits as long as the run takes. */
  timeoutMs?: number;
  /** Milliseconds before the second look, growing to twenty times as many; 250 by default, so that in the end a minute has twelve looks. */
  pollMs?: number;
}

export interface PollSettings {
  clock: Clock;
  /** Looks that may fail, one after the other. */
  maxReconnects: number;
}

const POLL_MS = 250;
const GROWTH = 1.6;
const MAX_GROWTH = 20;

/**
 * Fetches a run again and again, ever more slowly, until `isEnough`, and returns it. Outages of the service are waited through.
 * @throws LatheTimeoutError after `timeoutMs`; the signal's reason; whatever `fetch` rejects with that will not pass
 */
export async function poll<T>(
  runId: string,
  fetch: (signal: AbortSignal | undefined) => Promise<T>,
  isEnough: (found: T) => boolean,
  { signal, timeoutMs = Number.POSITIVE_INFINITY, pollMs = POLL_MS }: WaitOptions,
  { clock, maxReconnects }: PollSettings,
): Promise<T> {
  const end = clock.now() + timeoutMs;
  let failures = 0;
  for (let delay = pollMs; ; delay = Math.min(pollMs * MAX_GROWTH, delay * GROWTH)) {
    try {
      const found = await fetch(signal);
      if (isEnough(found)) return found;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!isPassing(error) || failures > maxReconnects) throw error;
    }
    // A little chance keeps many waiters from asking in step.
    const pause = delay * (0.8 + 0.4 * clock.random());
    if (clock.now() + pause > end) throw new LatheTimeoutError(`Run ${runId} did not end within ${timeoutMs} ms; it goes on.`, runId);
    await clock.sleep(pause, signal);
  }
}
