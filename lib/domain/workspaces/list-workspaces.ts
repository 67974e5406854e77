import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { WORKSPACE_COLUMNS } from "@/lib/domain/workspaces/workspace-record";
import type { WorkspaceRecord } from "@/lib/model/workspace/workspace-fields";
import { postgres } from "@/lib/platform/postgres";

const LIST = `
SELECT ${WORKSPACE_COLUMNS} FROM workspaces
WHERE account_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`;

/** The account's workspaces, newest first. */
export async function listWorkspaces(
  principal: Principal,
  page: PageRequest,
): Promise<Page<WorkspaceRecord>> {
  const { rows } = await postgres().query<WorkspaceRecord>(LIST, [
    principal.accountId,
    readCursor(page.cursor),
    rowsToRead(page),
  ]);
  return toPage(rows, page.limit, (workspace) => workspace.id);
}
