import "server-only";
import {
  type AgentVersionRecord,
  inWrittenOrder,
  requireAgent,
} from "@/lib/domain/agents/agent-store";
import type { Principal } from "@/lib/domain/principal";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import type { VersionName } from "@/lib/model/fields/shared-fields";
import { isUuid } from "@/lib/model/uuid";
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

/**
 * A version of the account's agent as a request names it: by its id, its label or its number. Of
 * several with one label it is the newest.
 * @throws ServiceError VERSION_NOT_FOUND, also for one that is not kept any more
 */
export async function requireVersion(
  principal: Principal,
  agentId: string,
  name: VersionName,
): Promise<AgentVersionRecord> {
  const version = await prisma().agentVersion.findFirst({
    where: { ...namedBy(name), agentId, agent: { accountId: principal.accountId } },
    orderBy: { number: "desc" },
  });
  if (!version)
    throw new ServiceError(
      "VERSION_NOT_FOUND",
      `This agent has no version ${name}. Its versions are listed by GET ` +
        `/v1/agents/${agentId}/versions.`,
    );
  return inWrittenOrder(version);
}

function namedBy(name: VersionName): { number: number } | { id: string } | { version: string } {
  if (typeof name === "number") return { number: name };
  return isUuid(name) ? { id: name.toLowerCase() } : { version: name };
}

/**
 * The number of the version that a key of an agent is to be for; null: of none.
 * @throws ServiceError AGENT_NOT_FOUND, VERSION_NOT_FOUND; INVALID_INPUT for a version without an
 * agent
 */
export async function findKeyVersion(
  principal: Principal,
  agentId: string | null,
  version: VersionName | null,
): Promise<number | null> {
  if (version === null) return null;
  if (agentId === null) throw invalidInput("version", "is of an agent: name its agent_id too");
  await requireAgent(principal, agentId);
  return (await requireVersion(principal, agentId, version)).number;
}
