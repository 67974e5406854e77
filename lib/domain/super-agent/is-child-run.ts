import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { isUuid } from "@/lib/model/uuid";
import { postgres } from "@/lib/platform/postgres";

/** Whether a super-agent run has started this run. */
export async function isChildRun(run: LoadedRun, runId: string): Promise<boolean> {
  if (!isUuid(runId)) return false;
  const { rowCount } = await postgres().query("SELECT 1 FROM runs WHERE id = $1 AND account_id = $2 AND parent_run_id = $3", [
    runId,
    run.accountId,
    run.id,
  ]);
  return rowCount === 1;
}
