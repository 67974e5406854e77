import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { CHILD_ROUTE } from "@/lib/domain/super-agent/child-route";
import { postgres } from "@/lib/platform/postgres";

/** What a super-agent run and the runs that it started may still cost, in millionths of a credit; null without a `max_credits`. */
export async function remainingMicros(run: LoadedRun): Promise<bigint | null> {
  if (run.maxCreditsMicros === null) return null;
  const { rows } = await postgres().query<{ spent: string }>(
    `SELECT coalesce(sum(u.credits_micros), 0) AS spent FROM run_usage u
     WHERE u.run_id IN (SELECT (body::jsonb ->> 'run_id')::uuid FROM idempotency_keys WHERE account_id = $1 AND route = $2 AND starts_with(key, $3))`,
    [run.accountId, CHILD_ROUTE, `${run.id}:`],
  );
  return run.maxCreditsMicros - run.spentMicros - BigInt(rows[0]?.spent ?? 0);
}
