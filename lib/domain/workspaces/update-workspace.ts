import "server-only";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { lockWorkspace, requireWorkspace } from "@/lib/domain/workspaces/workspace-record";
import type { Workspace } from "@/lib/storage/generated/client";
import { transaction } from "@/lib/storage/transaction";

/** Replaces what is given; of two changes at once none is lost. @throws ServiceError WORKSPACE_NOT_FOUND, RATE_LIMITED */
export async function updateWorkspace(
  principal: Principal,
  workspaceId: string,
  patch: { name?: string; description?: string | null },
): Promise<Workspace> {
  await requireWorkspace(principal, workspaceId);
  return transaction(async (tx) => {
    await consumeWriteQuota(tx, principal);
    const next = { ...(await lockWorkspace(tx, principal, workspaceId)), ...patch };
    const { rows } = await tx.query<Workspace>(
      `UPDATE workspaces SET name = $3, description = $4, updated_at = now() WHERE id = $1 AND account_id = $2
       RETURNING id, account_id AS "accountId", name, description, created_at AS "createdAt", updated_at AS "updatedAt"`,
      [workspaceId, principal.accountId, next.name, next.description],
    );
    if (!rows[0]) throw new Error("the workspace that was locked is gone");
    return rows[0];
  });
}
