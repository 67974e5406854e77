import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { selectList, storeList } from "@/lib/model/fields/field-table";
import {
  WORKSPACE_DRAFT_KEYS,
  WORKSPACE_FIELDS,
  type WorkspaceRecord,
} from "@/lib/model/workspace/workspace-fields";
import { postgres, type Transaction } from "@/lib/platform/postgres";
import type { WorkspaceFile } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/** A file's row, for the surfaces: they do not reach the database. */
export type FileRecord = WorkspaceFile;

/** The columns of a workspace under the names of `WorkspaceRecord`. */
export const WORKSPACE_COLUMNS = selectList(WORKSPACE_FIELDS);
/** What the account says of a workspace, as it is stored: from the third place on. */
export const STORED_WORKSPACE = storeList(WORKSPACE_FIELDS, WORKSPACE_DRAFT_KEYS, 3);

/** The account's workspace. @throws ServiceError WORKSPACE_NOT_FOUND */
export async function requireWorkspace(
  principal: Principal,
  workspaceId: string,
): Promise<WorkspaceRecord> {
  const { rows } = await postgres().query<WorkspaceRecord>(
    `SELECT ${WORKSPACE_COLUMNS} FROM workspaces WHERE id = $1 AND account_id = $2`,
    [workspaceId, principal.accountId],
  );
  const [workspace] = rows;
  if (!workspace) throw workspaceNotFound();
  return workspace;
}

/**
 * Checks that a run may use a workspace: the account's, and the agent one of its agents if it has
 * any; a run without an agent may use each.
 * @throws ServiceError WORKSPACE_NOT_FOUND
 */
export async function requireRunWorkspace(
  principal: Pick<Principal, "accountId">,
  workspaceId: string,
  agentId: string | null,
): Promise<void> {
  const workspace = await prisma().workspace.findFirst({
    where: { id: workspaceId, accountId: principal.accountId },
    select: { agents: { select: { agentId: true } } },
  });
  if (!workspace) throw workspaceNotFound();
  if (
    agentId &&
    workspace.agents.length > 0 &&
    !workspace.agents.some((assigned) => assigned.agentId === agentId)
  )
    throw workspaceNotFound();
}

/** What a workspace that is not there, not the account's, or not for this agent answers. */
export function workspaceNotFound(): ServiceError {
  return new ServiceError(
    "WORKSPACE_NOT_FOUND",
    "There is no such workspace, or this agent may not use it.",
  );
}

/**
 * Locks the account's workspace until the transaction ends, so that its files change one after
 * another and none is added to one being deleted, and of two changes at once none is lost.
 * Take it after the hourly write, as everybody does: the other order can deadlock.
 * @throws ServiceError WORKSPACE_NOT_FOUND
 */
export async function lockWorkspace(
  tx: Transaction,
  { accountId }: Pick<Principal, "accountId">,
  workspaceId: string,
): Promise<WorkspaceRecord> {
  const { rows } = await tx.query<WorkspaceRecord>(
    `SELECT ${WORKSPACE_COLUMNS} FROM workspaces WHERE id = $1 AND account_id = $2
     FOR NO KEY UPDATE`,
    [workspaceId, accountId],
  );
  if (!rows[0]) throw workspaceNotFound();
  return rows[0];
}
