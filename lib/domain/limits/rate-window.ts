import "server-only";
import { ServiceError } from "@/lib/model/errors";
import type { Queryable } from "@/lib/platform/postgres";

/** So many uses of `key` in a window of `seconds`. */
export interface RateWindow {
  key: string;
  max: number;
  seconds: number;
}

// The window begins anew with its last place: full, it stays closed for its whole length. A full
// one is not counted further, so that nobody keeps it closed by trying again.
const TAKE = `
INSERT INTO hour_buckets AS b (key, window_started_at, count) VALUES ($1, clock_timestamp(), 1)
ON CONFLICT (key) DO UPDATE SET
  count = CASE WHEN b.window_started_at <= clock_timestamp() - make_interval(secs => $3) THEN 1
  ELSE b.count + 1 END,
  window_started_at = CASE WHEN b.window_started_at <= clock_timestamp() - make_interval(secs => $3)
  OR b.count + 1 = $2
    THEN clock_timestamp() ELSE b.window_started_at END
WHERE b.count < $2 OR b.window_started_at <= clock_timestamp() - make_interval(secs => $3)`;

const WAIT = `
SELECT greatest(1,
  ceil($2 - extract(epoch FROM clock_timestamp() - window_started_at)))::int AS seconds
FROM hour_buckets WHERE key = $1`;

/**
 * Counts one use, exactly, under any concurrency. Inside a transaction a rollback gives it back.
 * @returns whole seconds to wait when the window is full; 0 when the use was counted
 */
export async function takeFromWindow(
  tx: Queryable,
  { key, max, seconds }: RateWindow,
): Promise<number> {
  const { rowCount } = await tx.query(TAKE, [key, max, seconds]);
  if (rowCount) return 0;
  const { rows } = await tx.query<{ seconds: number }>(WAIT, [key, seconds]);
  return rows[0]?.seconds ?? 1;
}

/** Takes back a use that came to nothing. */
export async function refundToWindow(tx: Queryable, key: string): Promise<void> {
  await tx.query("UPDATE hour_buckets SET count = count - 1 WHERE key = $1 AND count > 0", [key]);
}

/** @param what is over its limit, as a sentence */
export function tooManyRequests(what: string, seconds: number): ServiceError {
  const wait = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  const headers = { "Retry-After": String(seconds) };
  return new ServiceError(
    "RATE_LIMITED",
    `${what} Try again in ${wait}.`,
    { retryAfterSeconds: seconds },
    headers,
  );
}
