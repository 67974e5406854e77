import "server-only";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { requireRoom } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { newId } from "@/lib/platform/ids";
import type { Workspace } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";
import { transaction } from "@/lib/storage/transaction";

/** @throws ServiceError RATE_LIMITED (hourly cap), CONFLICT (too many workspaces). Nothing is stored then. */
export async function createWorkspace(principal: Principal, input: { name: string; description: string | null }): Promise<Workspace> {
  const id = newId();
  await transaction(async (tx) => {
    await consumeWriteQuota(tx, principal);
    await tx.query("INSERT INTO workspaces (id, account_id, name, description, updated_at) VALUES ($1, $2, $3, $4, now())", [
      id,
      principal.accountId,
      input.name,
      input.description,
    ]);
    await requireRoom(tx, principal.accountId, "workspaces");
  });
  return prisma().workspace.findUniqueOrThrow({ where: { id } });
}
