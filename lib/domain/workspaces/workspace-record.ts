import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import type { Transaction } from "@/lib/platform/postgres";
import type { Workspace, WorkspaceFile } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/** A workspace's row and a file's row, for the surfaces: they do not reach the database. */
export type WorkspaceRecord = Workspace;
export type FileRecord = WorkspaceFile;

/** What the account itself says of a workspace: all but the columns of the service. */
export type WorkspaceFields = Omit<Workspace, "id" | "accountId" | "createdAt" | "updatedAt">;
/** By field, its column: what a create and a PATCH store. */
const COLUMNS = { name: "name", description: "description" } satisfies Record<
  keyof WorkspaceFields,
  string
>;
export const WORKSPACE_FIELDS = Object.keys(COLUMNS) as (keyof WorkspaceFields)[]; // the keys of the table, which `keys` forgets
export const WORKSPACE_COLUMNS = WORKSPACE_FIELDS.map((field) => COLUMNS[field]);
/** The same for a `SELECT` or `RETURNING`. */
export const SHOWN_WORKSPACE_COLUMNS = WORKSPACE_FIELDS.map(
  (field) => `${COLUMNS[field]} AS "${field}"`,
).join(", ");

/** The account's workspace. @throws ServiceError WORKSPACE_NOT_FOUND */
export async function requireWorkspace(
  principal: Principal,
  workspaceId: string,
): Promise<Workspace> {
  const workspace = await prisma().workspace.findFirst({
    where: { id: workspaceId, accountId: principal.accountId },
  });
  if (!workspace) throw workspaceNotFound();
  return workspace;
}

/**
 * Checks that a run may use a workspace: the account's, and the agent one of its agents if it has
 * any; a run without an agent may use each.
 * @throws ServiceError WORKSPACE_NOT_FOUND
 */
export async function requireRunWorkspace(
  principal: Principal,
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
): Promise<WorkspaceFields> {
  const { rows } = await tx.query<WorkspaceFields>(
    `SELECT ${SHOWN_WORKSPACE_COLUMNS} FROM workspaces WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`,
    [workspaceId, accountId],
  );
  if (!rows[0]) throw workspaceNotFound();
  return rows[0];
}
