import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { workspaceNotFound } from "@/lib/domain/workspaces/require-workspace";
import type { Transaction } from "@/lib/storage/transaction";

/**
 * Locks the account's workspace until the transaction ends, so that its files change one after another and none is added to one being deleted.
 * Take it after the hourly write, as everybody does: the other order can deadlock.
 * @throws ServiceError WORKSPACE_NOT_FOUND
 */
export async function lockWorkspace(tx: Transaction, { accountId }: Pick<Principal, "accountId">, workspaceId: string): Promise<void> {
  const { rowCount } = await tx.query("SELECT 1 FROM workspaces WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE", [
    workspaceId,
    accountId,
  ]);
  if (!rowCount) throw workspaceNotFound();
}
