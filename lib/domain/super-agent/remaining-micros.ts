import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { postgres } from "@/lib/platform/postgres";

/** What a super-agent run and the runs that it started may still cost, in millionths of a credit, less what those hold; null without a `max_credits`. */
export async function remainingMicros(run: LoadedRun): Promise<bigint | null> {
  if (run.maxCreditsMicros === null) return null;
  const { rows } = await postgres().query<{ taken: string }>(
    `SELECT coalesce(sum((SELECT coalesce(sum(u.credits_micros), 0) FROM run_usage u WHERE u.run_id = c.id)
       + coalesce((SELECT h.amount_micros FROM credit_holds h WHERE h.run_id = c.id), 0)), 0) AS taken
     FROM runs c WHERE c.account_id = $1 AND c.parent_run_id = $2`,
    [run.accountId, run.id],
  );
  return run.maxCreditsMicros - run.spentMicros - BigInt(rows[0]?.taken ?? 0);
}
