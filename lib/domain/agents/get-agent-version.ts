import "server-only";
import {
  type AgentVersionRecord,
  inWrittenOrder,
  requireAgent,
} from "@/lib/domain/agents/agent-store";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { prisma } from "@/lib/storage/prisma";

/**
 * One version of the account's agent, whole. @throws ServiceError AGENT_NOT_FOUND,
 * VERSION_NOT_FOUND
 */
export async function getAgentVersion(
  principal: Principal,
  agentId: string,
  versionId: string,
): Promise<AgentVersionRecord> {
  await requireAgent(principal, agentId);
  const version = await prisma().agentVersion.findFirst({
    where: { id: versionId, agentId, agent: { accountId: principal.accountId } },
  });
  if (!version) throw new ServiceError("VERSION_NOT_FOUND", "This agent has no such version.");
  return inWrittenOrder(version);
}

/** A version of the account's agent by its number; null where it has none, or none any more. */
export async function findVersion(
  principal: Principal,
  agentId: string,
  number: number,
): Promise<AgentVersionRecord | null> {
  const version = await prisma().agentVersion.findFirst({
    where: { agentId, number, agent: { accountId: principal.accountId } },
  });
  return version && inWrittenOrder(version);
}
