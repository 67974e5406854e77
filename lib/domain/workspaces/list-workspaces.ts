import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import type { Workspace } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/** The account's workspaces, newest first. */
export async function listWorkspaces(
  principal: Principal,
  page: PageRequest,
): Promise<Page<Workspace>> {
  const before = readCursor(page.cursor);
  const rows = await prisma().workspace.findMany({
    where: { accountId: principal.accountId, ...(before && { id: { lt: before } }) },
    orderBy: { id: "desc" },
    take: rowsToRead(page),
  });
  return toPage(rows, page.limit, (workspace) => workspace.id);
}
