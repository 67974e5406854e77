import "server-only";
import { removeBytes, reserveStorage } from "@/lib/domain/blobs/stored-bytes";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { lockWorkspace, requireWorkspace } from "@/lib/domain/workspaces/workspace-record";
import { accountTransaction } from "@/lib/platform/postgres";

/** Removes a workspace with its files. @throws ServiceError WORKSPACE_NOT_FOUND, RATE_LIMITED */
export async function deleteWorkspace(principal: Principal, workspaceId: string): Promise<void> {
  await requireWorkspace(principal, workspaceId);
  const files = await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    // An upload in this moment ends before, or finds no workspace.
    await lockWorkspace(tx, principal, workspaceId);
    const { rows } = await tx.query<{ size_bytes: string; storage_key: string }>(
      `DELETE FROM workspace_files WHERE workspace_id = $1 AND account_id = $2
       RETURNING size_bytes, storage_key`,
      [workspaceId, principal.accountId],
    );
    await tx.query("DELETE FROM workspaces WHERE id = $1 AND account_id = $2", [
      workspaceId,
      principal.accountId,
    ]);
    const total = rows.reduce((sum, row) => sum + BigInt(row.size_bytes), 0n);
    await reserveStorage(tx, principal.accountId, -total);
    return rows;
  });
  for (const file of files) await removeBytes(file.storage_key);
}
