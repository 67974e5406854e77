import "server-only";

/** How an account stands against a budget a minute. */
export interface Budget {
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends: 1 to 60, also where the machine's clock was set back meanwhile. */
  resetSeconds: number;
  exceeded: boolean;
}

/**
 * Counts what is inserted into `minute_buckets AS b`, one request or several: a window starts with its first request and lasts a minute. The upsert's row lock makes the count exact
 * under any concurrency and over any number of processes.
 */
export const COUNT_IN_WINDOW = `
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN b.window_started_at <= clock_timestamp() - interval '60 seconds' THEN excluded.count ELSE least(b.count, 1000000000) + excluded.count END,
    window_started_at = CASE WHEN b.window_started_at <= clock_timestamp() - interval '60 seconds' THEN clock_timestamp() ELSE b.window_started_at END`;

/** Seconds that a window has left, as SQL; `startedAt` is an expression. */
export const secondsLeft = (startedAt: string) =>
  `least(60, greatest(1, ceil(60 - extract(epoch FROM clock_timestamp() - ${startedAt}))))::int`;

/**
 * The bucket of an account's starts of runs, as SQL over its row `accounts`: that of all requests, until an override splits the budget.
 */
export const runBucket = (accounts: string) =>
  `CASE WHEN ${accounts}.read_per_minute IS NULL AND ${accounts}.runs_per_minute IS NULL THEN 'all:' ELSE 'run:' END || ${accounts}.id`;

export function toBudget(limit: number, count: number, resetSeconds: number): Budget {
  return { limit, remaining: Math.max(0, limit - count), resetSeconds, exceeded: count > limit };
}
