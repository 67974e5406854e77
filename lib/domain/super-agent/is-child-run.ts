import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { CHILD_ROUTE } from "@/lib/domain/super-agent/child-route";
import { postgres } from "@/lib/platform/postgres";

/** Whether a super-agent run has started this run. */
export async function isChildRun(run: LoadedRun, runId: string): Promise<boolean> {
  const { rowCount } = await postgres().query(
    "SELECT 1 FROM idempotency_keys WHERE account_id = $1 AND route = $2 AND starts_with(key, $3) AND body::jsonb ->> 'run_id' = $4",
    [run.accountId, CHILD_ROUTE, `${run.id}:`, runId.toLowerCase()],
  );
  return (rowCount ?? 0) > 0;
}
