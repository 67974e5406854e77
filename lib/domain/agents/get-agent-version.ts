import "server-only";
import { type AgentVersionRecord, requireAgent } from "@/lib/domain/agents/agent-store";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { prisma } from "@/lib/storage/prisma";

/** One version of the account's agent, whole. @throws ServiceError AGENT_NOT_FOUND, VERSION_NOT_FOUND */
export async function getAgentVersion(principal: Principal, agentId: string, versionId: string): Promise<AgentVersionRecord> {
  await requireAgent(principal, agentId);
  const version = await prisma().agentVersion.findFirst({ where: { id: versionId, agentId, agent: { accountId: principal.accountId } } });
  if (!version) throw new ServiceError("VERSION_NOT_FOUND", "This agent has no such version.");
  return version;
}

/** An agent's version by its number; null where it has none, or none any more. The agent must be known to be the account's. */
export function findVersion(agentId: string, number: number): Promise<AgentVersionRecord | null> {
  return prisma().agentVersion.findUnique({ where: { agentId_number: { agentId, number } } });
}
