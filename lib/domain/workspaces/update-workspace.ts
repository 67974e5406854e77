import "server-only";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import {
  lockWorkspace,
  requireWorkspace,
  STORED_WORKSPACE,
  WORKSPACE_COLUMNS,
} from "@/lib/domain/workspaces/workspace-record";
import type { WorkspaceDraft, WorkspaceRecord } from "@/lib/model/workspace/workspace-fields";
import { accountTransaction } from "@/lib/platform/postgres";

const UPDATE = `
UPDATE workspaces SET ${STORED_WORKSPACE.changes}, updated_at = now()
WHERE id = $1 AND account_id = $2 RETURNING ${WORKSPACE_COLUMNS}`;

/**
 * Replaces what is given; of two changes at once none is lost. @throws ServiceError
 * WORKSPACE_NOT_FOUND, RATE_LIMITED
 */
export async function updateWorkspace(
  principal: Principal,
  workspaceId: string,
  patch: Partial<WorkspaceDraft>,
): Promise<WorkspaceRecord> {
  await requireWorkspace(principal, workspaceId);
  return accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const next = { ...(await lockWorkspace(tx, principal, workspaceId)), ...patch };
    const { rows } = await tx.query<WorkspaceRecord>(UPDATE, [
      workspaceId,
      principal.accountId,
      ...STORED_WORKSPACE.values(next),
    ]);
    if (!rows[0]) throw new Error("the workspace that was locked is gone");
    return rows[0];
  });
}
