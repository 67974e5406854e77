import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { requireWorkspace } from "@/lib/domain/workspaces/workspace-record";
import type { WorkspaceFile } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/**
 * The files of a workspace whose path starts with `prefix`, newest first. @throws ServiceError
 * WORKSPACE_NOT_FOUND
 */
export async function listFiles(
  principal: Principal,
  workspaceId: string,
  page: PageRequest & { prefix: string },
): Promise<Page<WorkspaceFile>> {
  await requireWorkspace(principal, workspaceId);
  const before = readCursor(page.cursor);
  const rows = await prisma().workspaceFile.findMany({
    where: {
      workspaceId,
      accountId: principal.accountId,
      ...(page.prefix && { path: { startsWith: page.prefix.replace(/[\\%_]/g, "\\$&") } }),
      ...(before && { id: { lt: before } }),
    },
    orderBy: { id: "desc" },
    take: rowsToRead(page),
  });
  return toPage(rows, page.limit, (file) => file.id);
}
