import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { LISTED_AGENT_KEYS, type ListedAgentKey } from "@/lib/model/agent/agent-fields";
import type { Agent } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

export type AgentMetadata = Pick<Agent, ListedAgentKey>;

// Each of them.
const METADATA = Object.fromEntries(LISTED_AGENT_KEYS.map((key) => [key, true])) as Record<
  ListedAgentKey,
  true
>;

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
