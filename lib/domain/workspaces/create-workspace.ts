import "server-only";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { requireRoom } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { STORED_WORKSPACE, WORKSPACE_COLUMNS } from "@/lib/domain/workspaces/workspace-record";
import {
  UNSAID_WORKSPACE,
  type WorkspaceDraft,
  type WorkspaceRecord,
} from "@/lib/model/workspace/workspace-fields";
import { newId } from "@/lib/platform/ids";
import { accountTransaction } from "@/lib/platform/postgres";

const INSERT = `
INSERT INTO workspaces (id, account_id, ${STORED_WORKSPACE.columns}, updated_at)
VALUES ($1, $2, ${STORED_WORKSPACE.places}, now()) RETURNING ${WORKSPACE_COLUMNS}`;

/**
 * @throws ServiceError RATE_LIMITED (hourly cap), CONFLICT (too many workspaces). Nothing is stored
 * then.
 */
export async function createWorkspace(
  principal: Principal,
  draft: WorkspaceDraft,
): Promise<WorkspaceRecord> {
  return accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const { rows } = await tx.query<WorkspaceRecord>(INSERT, [
      newId(),
      principal.accountId,
      ...STORED_WORKSPACE.values({ ...UNSAID_WORKSPACE, ...draft }),
    ]);
    await requireRoom(tx, principal.accountId, "workspaces");
    const [workspace] = rows;
    if (!workspace) throw new Error("the workspace that was stored is gone");
    return workspace;
  });
}
