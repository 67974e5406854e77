import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import type { Agent } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/** The account's agent, archived ones too. @throws ServiceError AGENT_NOT_FOUND */
export async function requireAgent(principal: Principal, agentId: string): Promise<Agent> {
  const agent = await prisma().agent.findFirst({ where: { id: agentId, accountId: principal.accountId } });
  if (!agent) throw new ServiceError("AGENT_NOT_FOUND", "There is no such agent.");
  return agent;
}

/** @throws ServiceError CONFLICT when the agent is archived */
export function requireActive(agent: Agent): void {
  if (agent.status !== "active") throw new ServiceError("CONFLICT", "This agent is archived: it can be read, but not run or changed.");
}
