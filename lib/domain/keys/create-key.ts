import "server-only";
import { requireAgent } from "@/lib/domain/agents/require-agent";
import { type KeyView, toKeyView } from "@/lib/domain/keys/key-view";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { createApiKey, hashApiKey } from "@/lib/platform/crypto/api-key";
import { newId } from "@/lib/platform/ids";
import { prisma } from "@/lib/storage/prisma";

/**
 * Makes an account key, or with `agentId` a key that only runs this agent on the app-scoped path. Its text is returned here and never again.
 * @throws ServiceError AGENT_NOT_FOUND; CONFLICT when the agent is archived
 */
export async function createKey(
  principal: Principal,
  input: { name: string; agentId: string | null; expiresAt: Date | null },
): Promise<KeyView & { apiKey: string }> {
  if (input.agentId) {
    const agent = await requireAgent(principal, input.agentId);
    if (agent.status === "archived") throw new ServiceError("CONFLICT", "This agent is archived: it can have no new keys.");
  }
  const apiKey = createApiKey(input.agentId ? "app" : "account");
  const row = await prisma().apiKey.create({
    data: {
      id: newId(),
      accountId: principal.accountId,
      agentId: input.agentId,
      name: input.name,
      hash: new Uint8Array(hashApiKey(apiKey)),
      prefix: input.agentId ? "appapi_" : "svc_sk_",
      lastFour: apiKey.slice(-4),
      expiresAt: input.expiresAt,
    },
  });
  return { ...toKeyView(row), apiKey };
}
