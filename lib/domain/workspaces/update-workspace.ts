import "server-only";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import {
  lockWorkspace,
  requireWorkspace,
  SHOWN_WORKSPACE_COLUMNS,
  WORKSPACE_COLUMNS,
  WORKSPACE_FIELDS,
  type WorkspaceFields,
} from "@/lib/domain/workspaces/workspace-record";
import { accountTransaction } from "@/lib/platform/postgres";
import type { Workspace } from "@/lib/storage/generated/client";

const CHANGES = WORKSPACE_COLUMNS.map((column, index) => `${column} = $${index + 3}`).join(", ");
const UPDATE = `
UPDATE workspaces SET ${CHANGES}, updated_at = now() WHERE id = $1 AND account_id = $2
RETURNING id, account_id AS "accountId", ${SHOWN_WORKSPACE_COLUMNS}, created_at AS "createdAt", updated_at AS "updatedAt"`;

/**
 * Replaces what is given; of two changes at once none is lost. @throws ServiceError
 * WORKSPACE_NOT_FOUND, RATE_LIMITED
 */
export async function updateWorkspace(
  principal: Principal,
  workspaceId: string,
  patch: Partial<WorkspaceFields>,
): Promise<Workspace> {
  await requireWorkspace(principal, workspaceId);
  return accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const next = { ...(await lockWorkspace(tx, principal, workspaceId)), ...patch };
    const { rows } = await tx.query<Workspace>(UPDATE, [
      workspaceId,
      principal.accountId,
      ...WORKSPACE_FIELDS.map((field) => next[field]),
    ]);
    if (!rows[0]) throw new Error("the workspace that was locked is gone");
    return rows[0];
  });
}
