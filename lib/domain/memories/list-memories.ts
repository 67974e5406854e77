import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { MEMORY_COLUMNS, type MemoryView } from "@/lib/domain/memories/memory-view";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { postgres } from "@/lib/platform/postgres";

/**
 * An agent's notes, newest first; with `endUser` those about one of them, an empty one for those
 * about none. @throws ServiceError AGENT_NOT_FOUND
 */
export async function listMemories(
  principal: Principal,
  agentId: string,
  page: PageRequest & { endUser: string | null },
): Promise<Page<MemoryView>> {
  const before = readCursor(page.cursor);
  await requireAgent(principal, agentId);
  const { rows } = await postgres().query<MemoryView>(
    `SELECT ${MEMORY_COLUMNS} FROM agent_memories m
     WHERE m.account_id = $1 AND m.agent_id = $2 AND ($3::text IS NULL OR m.end_user = $3)
       AND ($4::uuid IS NULL OR m.id < $4)
     ORDER BY m.id DESC LIMIT $5`,
    [principal.accountId, agentId, page.endUser, before, rowsToRead(page)],
  );
  return toPage(rows, page.limit, (memory) => memory.id);
}
