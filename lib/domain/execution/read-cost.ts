import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { USAGE_OF_RUN, type UsageSum } from "@/lib/domain/runs/run-view";
import { postgres } from "@/lib/platform/postgres";

/** Reads anew what a run has cost, into `run`: its log was taken since, and nobody else charges it any more. */
export async function readCost(run: LoadedRun): Promise<void> {
  const { rows } = await postgres().query<{ spent: string; usage: UsageSum[] | null }>({
    name: "read-run-cost",
    text: `SELECT (SELECT coalesce(sum(credits_micros), 0) FROM run_usage u WHERE u.run_id = r.id) AS spent, ${USAGE_OF_RUN} AS usage FROM runs r WHERE r.id = $1 AND r.account_id = $2`,
    values: [run.id, run.accountId],
  });
  run.spentMicros = BigInt(rows[0]?.spent ?? 0);
  run.usage = rows[0]?.usage ?? [];
}
