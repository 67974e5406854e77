import "server-only";
import { runBucket } from "@/lib/domain/account/minute-window";
import { env } from "@/lib/env";
import type { Queryable } from "@/lib/platform/postgres";

const ENDED = "b.window_started_at <= clock_timestamp() - interval '60 seconds'";

const TAKE = `
WITH account AS (SELECT id, read_per_minute, runs_per_minute FROM accounts WHERE id = $1 AND coalesce(runs_per_minute, $2) > 0)
INSERT INTO minute_buckets AS b (key, window_started_at, count) SELECT ${runBucket("account")}, clock_timestamp(), 1 FROM account
ON CONFLICT (key) DO UPDATE SET
  count = CASE WHEN ${ENDED} THEN 1 ELSE b.count + 1 END,
  window_started_at = CASE WHEN ${ENDED} THEN clock_timestamp() ELSE b.window_started_at END
WHERE ${ENDED} OR b.count < (SELECT coalesce(runs_per_minute, $2) FROM accounts WHERE id = $1)`;

/**
 * Counts a start that nobody asked for over HTTP (a schedule's) against the account's budget of starts a minute, if there is room; a refused one does
 * not count. In a transaction it is given back by a rollback.
 * @returns whether it was counted
 */
export async function takeRunBudget(on: Queryable, accountId: string): Promise<boolean> {
  const { rowCount } = await on.query({ name: "take-run-budget", text: TAKE, values: [accountId, env().RATE_LIMIT_PER_MINUTE] });
  return rowCount === 1;
}
