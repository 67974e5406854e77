import "server-only";
import type { Principal } from "@/lib/domain/principal";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { newId } from "@/lib/platform/ids";
import type { Agent } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/** An agent of the account, put straight into the database. */
export function insertTestAgent(
  principal: Principal,
  options: { name?: string; config?: Partial<AgentConfig> } = {},
): Promise<Agent> {
  const config = { version: 1, ...options.config };
  return prisma().agent.create({
    data: {
      id: newId(),
      accountId: principal.accountId,
      name: options.name ?? "Helper",
      version: "1.0.0",
      writeAutonomy: "full_auto",
      skillContent: "Help.",
      configContent: JSON.stringify(config),
      config: JSON.parse(JSON.stringify(config)),
      currentVersionId: newId(),
      updatedAt: new Date(),
    },
  });
}
