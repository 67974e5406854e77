import "server-only";
import { type AgentVersionMetadata, requireAgent } from "@/lib/domain/agents/agent-store";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { invalidInput } from "@/lib/model/errors";
import { prisma } from "@/lib/storage/prisma";

const METADATA = {
  id: true,
  number: true,
  version: true,
  releaseNote: true,
  source: true,
  runId: true,
  createdAt: true,
} as const;

/**
 * An agent's versions without their texts, newest first. @throws ServiceError AGENT_NOT_FOUND,
 * INVALID_INPUT for a cursor of another list
 */
export async function listAgentVersions(
  principal: Principal,
  agentId: string,
  page: PageRequest,
): Promise<Page<AgentVersionMetadata>> {
  await requireAgent(principal, agentId);
  const last = readCursor(page.cursor);
  const before = last === null ? null : await numberOf(agentId, last);
  const rows = await prisma().agentVersion.findMany({
    select: METADATA,
    where: { agentId, ...(before !== null && { number: { lt: before } }) },
    orderBy: { number: "desc" },
    take: rowsToRead(page),
  });
  return toPage(rows, page.limit, (version) => version.id);
}

/**
 * Versions of one agent are counted under its lock, so their numbers, unlike ids of several
 * processes, are in order.
 */
async function numberOf(agentId: string, versionId: string): Promise<number> {
  const version = await prisma().agentVersion.findFirst({
    select: { number: true },
    where: { id: versionId, agentId },
  });
  if (!version) throw invalidInput("cursor", "must be a next_cursor of this list");
  return version.number;
}
