import "server-only";
import { removeBytes, reserveStorage } from "@/lib/domain/blobs/stored-bytes";
import { requireFile } from "@/lib/domain/files/open-file";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { accountTransaction } from "@/lib/platform/postgres";

/**
 * Removes a file: its row first, then its bytes. @throws ServiceError WORKSPACE_NOT_FOUND,
 * FILE_NOT_FOUND, RATE_LIMITED
 */
export async function deleteFile(
  principal: Principal,
  workspaceId: string,
  fileId: string,
): Promise<void> {
  await requireFile(principal, workspaceId, fileId);
  const removed = await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const { rows } = await tx.query<{ size_bytes: string; storage_key: string }>(
      "DELETE FROM workspace_files WHERE id = $1 AND workspace_id = $2 AND account_id = $3 RETURNING size_bytes, storage_key",
      [fileId, workspaceId, principal.accountId],
    );
    if (rows[0]) await reserveStorage(tx, principal.accountId, -BigInt(rows[0].size_bytes));
    return rows[0];
  });
  if (removed) await removeBytes(removed.storage_key);
}
