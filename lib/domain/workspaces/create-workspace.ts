import "server-only";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { requireRoom } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import {
  WORKSPACE_COLUMNS,
  WORKSPACE_FIELDS,
  type WorkspaceFields,
} from "@/lib/domain/workspaces/workspace-record";
import { newId } from "@/lib/platform/ids";
import { accountTransaction } from "@/lib/platform/postgres";
import type { Workspace } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

const VALUES = WORKSPACE_FIELDS.map((_, index) => `$${index + 3}`);
const INSERT = `INSERT INTO workspaces (id, account_id, ${WORKSPACE_COLUMNS.join(", ")}, updated_at) VALUES ($1, $2, ${VALUES.join(", ")}, now())`;

/**
 * @throws ServiceError RATE_LIMITED (hourly cap), CONFLICT (too many workspaces). Nothing is stored
 * then.
 */
export async function createWorkspace(
  principal: Principal,
  input: Pick<WorkspaceFields, "name"> & Partial<WorkspaceFields>,
): Promise<Workspace> {
  const id = newId();
  await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    await tx.query(INSERT, [
      id,
      principal.accountId,
      ...WORKSPACE_FIELDS.map((field) => input[field] ?? null),
    ]);
    await requireRoom(tx, principal.accountId, "workspaces");
  });
  return prisma().workspace.findUniqueOrThrow({ where: { id } });
}
