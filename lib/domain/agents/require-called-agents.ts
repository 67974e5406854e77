import "server-only";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { ServiceError } from "@/lib/model/errors";
import { prisma } from "@/lib/storage/prisma";

/**
 * Refuses a config that calls an agent which is not the account's: it answers as one that is not
 * there. An archived one may be named; a run goes without it.
 * @throws ServiceError INVALID_INPUT
 */
export async function requireCalledAgents(accountId: string, config: AgentConfig): Promise<void> {
  const ids = (config.tools?.agents ?? []).map(({ agent_id: id }) => id);
  if (ids.length === 0) return;
  const known = await prisma().agent.findMany({
    where: { accountId, id: { in: ids } },
    select: { id: true },
  });
  const details = ids.flatMap((id, index) =>
    known.some((agent) => agent.id === id)
      ? []
      : [{ path: `config.tools.agents.${index}.agent_id`, message: "There is no such agent." }],
  );
  if (details.length === 0) return;
  const message = details.map(({ path, message: said }) => `${path}: ${said}`).join("; ");
  throw new ServiceError("INVALID_INPUT", message, { details });
}
