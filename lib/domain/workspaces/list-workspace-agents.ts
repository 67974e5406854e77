import "server-only";
import type { AgentMetadata } from "@/lib/domain/agents/list-agents";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { requireWorkspace } from "@/lib/domain/workspaces/workspace-record";
import { prisma } from "@/lib/storage/prisma";

/** The agents of a workspace, newest agent first. @throws ServiceError WORKSPACE_NOT_FOUND */
export async function listWorkspaceAgents(
  principal: Principal,
  workspaceId: string,
  page: PageRequest,
): Promise<Page<AgentMetadata>> {
  await requireWorkspace(principal, workspaceId);
  const before = readCursor(page.cursor);
  const rows = await prisma().agent.findMany({
    where: {
      accountId: principal.accountId,
      workspaces: { some: { workspaceId } },
      ...(before && { id: { lt: before } }),
    },
    omit: { skillContent: true, configContent: true, config: true, dashboardTemplate: true },
    orderBy: { id: "desc" },
    take: rowsToRead(page),
  });
  return toPage(rows, page.limit, (agent) => agent.id);
}
