import "server-only";
import { removeBytes, reserveStorage } from "@/lib/domain/blobs/stored-bytes";
import { requireFile } from "@/lib/domain/files/open-file";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import {
  accountTransaction,
  type Transaction,
  transaction,
  withinAccount,
} from "@/lib/platform/postgres";

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
      `DELETE FROM workspace_files WHERE id = $1 AND workspace_id = $2 AND account_id = $3
       RETURNING size_bytes, storage_key`,
      [fileId, workspaceId, principal.accountId],
    );
    if (rows[0]) await reserveStorage(tx, principal.accountId, -BigInt(rows[0].size_bytes));
    return rows[0];
  });
  if (removed) await removeBytes(removed.storage_key);
}

/**
 * Removes a workspace's file by its path, for a run: its row first, then its bytes.
 * @returns whether there was one
 */
export async function removeFileAt(
  accountId: string,
  workspaceId: string,
  path: string,
): Promise<boolean> {
  const remove = async (tx: Transaction) => {
    const { rows } = await tx.query<{ size_bytes: string; storage_key: string }>(
      `DELETE FROM workspace_files WHERE path = $1 AND workspace_id = $2 AND account_id = $3
       RETURNING size_bytes, storage_key`,
      [path, workspaceId, accountId],
    );
    if (rows[0]) await reserveStorage(tx, accountId, -BigInt(rows[0].size_bytes));
    return rows[0]?.storage_key;
  };
  const key = await withinAccount(accountId, () => transaction(remove));
  if (key !== undefined) await removeBytes(key);
  return key !== undefined;
}
