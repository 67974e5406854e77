import "server-only";
import { takeHourlyWrite } from "@/lib/domain/account/take-hourly-write";
import type { Principal } from "@/lib/domain/principal";
import { requireWorkspace } from "@/lib/domain/workspaces/require-workspace";
import type { Workspace } from "@/lib/storage/generated/client";
import { transaction } from "@/lib/storage/transaction";

/** Replaces what is given. @throws ServiceError WORKSPACE_NOT_FOUND, RATE_LIMITED */
export async function updateWorkspace(
  principal: Principal,
  workspaceId: string,
  patch: { name?: string; description?: string | null },
): Promise<Workspace> {
  const current = await requireWorkspace(principal, workspaceId);
  const next = { name: patch.name ?? current.name, description: patch.description === undefined ? current.description : patch.description };
  await transaction(async (tx) => {
    await takeHourlyWrite(tx, principal);
    await tx.query("UPDATE workspaces SET name = $3, description = $4, updated_at = now() WHERE id = $1 AND account_id = $2", [
      workspaceId,
      principal.accountId,
      next.name,
      next.description,
    ]);
  });
  return requireWorkspace(principal, workspaceId);
}
