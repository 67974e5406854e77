import "server-only";
import { systemPrincipal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { postgres } from "@/lib/platform/postgres";

const ORPHANS = `
SELECT c.id, c.account_id FROM runs c JOIN runs p ON p.id = c.parent_run_id
  AND p.account_id = c.account_id
WHERE c.status IN ('pending', 'running') AND p.status IN ('failed', 'cancelled')`;

/**
 * Cancels what a super-agent's run has started, when it was cancelled or has failed. What a
 * completed one has started goes on.
 */
export async function cancelChildren(parentRunId: string): Promise<void> {
  await cancelAll(await postgres().query<Orphan>(`${ORPHANS} AND p.id = $1`, [parentRunId]));
}

/** The same for whatever was started while its super-agent's run ended, or was missed. */
export async function cancelOrphans(): Promise<void> {
  await cancelAll(await postgres().query<Orphan>(`${ORPHANS} ORDER BY c.id LIMIT 500`));
}

interface Orphan {
  id: string;
  account_id: string;
}

async function cancelAll({ rows }: { rows: Orphan[] }): Promise<void> {
  for (const { id, account_id } of rows) await cancelRun(systemPrincipal(account_id), id);
}
