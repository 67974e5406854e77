import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import type { Agent } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

export type AgentMetadata = Pick<
  Agent,
  "id" | "name" | "description" | "version" | "status" | "writeAutonomy" | "createdAt" | "updatedAt"
>;

const METADATA = {
  id: true,
  name: true,
  description: true,
  version: true,
  status: true,
  writeAutonomy: true,
  createdAt: true,
  updatedAt: true,
} as const;

/**
 * The account's agents, newest first, without their texts. `search` looks into name and
 * description.
 */
export async function listAgents(
  principal: Principal,
  page: PageRequest & { status: "active" | "archived"; search: string | null },
): Promise<Page<AgentMetadata>> {
  const before = readCursor(page.cursor);
  const contains = page.search
    ? { contains: page.search.replace(/[\\%_]/g, "\\$&"), mode: "insensitive" as const }
    : null;
  const rows = await prisma().agent.findMany({
    select: METADATA,
    where: {
      accountId: principal.accountId,
      status: page.status,
      ...(before && { id: { lt: before } }),
      ...(contains && { OR: [{ name: contains }, { description: contains }] }),
    },
    orderBy: { id: "desc" },
    take: rowsToRead(page),
  });
  return toPage(rows, page.limit, (agent) => agent.id);
}
