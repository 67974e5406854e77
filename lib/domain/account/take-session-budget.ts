import "server-only";
import type { BudgetClass } from "@/lib/domain/account/known-keys";
import { type Budget, COUNT_IN_WINDOW, runBucket, secondsLeft, toBudget } from "@/lib/domain/account/minute-window";
import { env } from "@/lib/env";
import { postgres } from "@/lib/platform/postgres";

interface Row {
  write_per_hour: number | null;
  count: number;
  reset_seconds: number;
  run_limit: number;
  run_count: number | null;
  run_reset_seconds: number | null;
}

// A start that the sessions' own budget refuses does not count against the account's.
const TAKE = `
WITH account AS (SELECT id, read_per_minute, runs_per_minute, write_per_hour FROM accounts WHERE id = $1
), sessions AS (
  INSERT INTO minute_buckets AS b (key, window_started_at, count) SELECT 'session:' || id, clock_timestamp(), 1 FROM account
  ${COUNT_IN_WINDOW} RETURNING count, window_started_at
), runs AS (
  INSERT INTO minute_buckets AS b (key, window_started_at, count)
  SELECT ${runBucket("account")}, clock_timestamp(), 1 FROM account, sessions WHERE $2 = 'run' AND sessions.count <= $3
  ${COUNT_IN_WINDOW} RETURNING count, window_started_at
)
SELECT account.write_per_hour, sessions.count, ${secondsLeft("sessions.window_started_at")} AS reset_seconds,
  coalesce(account.runs_per_minute, $4) AS run_limit, runs.count AS run_count, ${secondsLeft("runs.window_started_at")} AS run_reset_seconds
FROM account CROSS JOIN sessions LEFT JOIN runs ON true`;

/**
 * Counts a request of somebody signed in, in one statement: against the budget a minute of all sessions of the account, and a start of a run against
 * the account's own as well, as its keys' starts do.
 * @returns the budget that is nearest to its end, and the writes an hour that the account has for keys and sessions together
 */
export async function takeSessionBudget(accountId: string, budgetClass: BudgetClass): Promise<{ budget: Budget; writePerHour: number }> {
  const { SESSION_LIMIT_PER_MINUTE: limit, RATE_LIMIT_PER_MINUTE, WRITE_LIMIT_PER_HOUR } = env();
  const values = [accountId, budgetClass, limit, RATE_LIMIT_PER_MINUTE];
  const { rows } = await postgres().query<Row>({ name: "take-session-budget", text: TAKE, values });
  const [row] = rows;
  if (!row) throw new Error("a session's account is gone");
  const budget = toBudget(limit, row.count, row.reset_seconds);
  const runs = row.run_count === null ? null : toBudget(row.run_limit, row.run_count, row.run_reset_seconds ?? 60);
  return {
    budget: runs && (runs.exceeded || runs.remaining < budget.remaining) ? runs : budget,
    writePerHour: row.write_per_hour ?? WRITE_LIMIT_PER_HOUR,
  };
}
