import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { workspaceNotFound } from "@/lib/domain/workspaces/require-workspace";
import type { Workspace } from "@/lib/storage/generated/client";
import type { Transaction } from "@/lib/storage/transaction";

/**
 * Locks the account's workspace until the transaction ends, so that its files change one after another and none is added to one being deleted, and of two changes at once none is lost.
 * Take it after the hourly write, as everybody does: the other order can deadlock.
 * @throws ServiceError WORKSPACE_NOT_FOUND
 */
export async function lockWorkspace(
  tx: Transaction,
  { accountId }: Pick<Principal, "accountId">,
  workspaceId: string,
): Promise<Pick<Workspace, "name" | "description">> {
  const { rows } = await tx.query<Pick<Workspace, "name" | "description">>(
    "SELECT name, description FROM workspaces WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE",
    [workspaceId, accountId],
  );
  if (!rows[0]) throw workspaceNotFound();
  return rows[0];
}
