import "server-only";
import { lockAgent } from "@/lib/domain/agents/lock-agent";
import { type KeyView, toKeyView } from "@/lib/domain/keys/key-view";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { createApiKey, hashApiKey } from "@/lib/platform/crypto/api-key";
import { newId } from "@/lib/platform/ids";
import { prisma } from "@/lib/storage/prisma";
import { type Transaction, transaction } from "@/lib/storage/transaction";

/**
 * Makes an account key, or with `agentId` a key that only runs this agent on the app-scoped path. Its text is returned here and never again.
 * @throws ServiceError AGENT_NOT_FOUND; CONFLICT when the agent is archived
 */
export async function createKey(
  principal: Principal,
  input: { name: string; agentId: string | null; expiresAt: Date | null },
): Promise<KeyView & { apiKey: string }> {
  const apiKey = createApiKey(input.agentId ? "app" : "account");
  const id = newId();
  await transaction(async (tx) => {
    if (input.agentId) await requireUnarchived(tx, principal, input.agentId);
    await tx.query(
      "INSERT INTO api_keys (id, account_id, agent_id, name, hash, prefix, last_four, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
      [
        id,
        principal.accountId,
        input.agentId,
        input.name,
        hashApiKey(apiKey),
        input.agentId ? "appapi_" : "svc_sk_",
        apiKey.slice(-4),
        input.expiresAt,
      ],
    );
  });
  return { ...toKeyView(await prisma().apiKey.findUniqueOrThrow({ where: { id } })), apiKey };
}

/** Under the agent's lock: a key made while the agent is being archived is either revoked with the others or refused. */
async function requireUnarchived(tx: Transaction, principal: Principal, agentId: string): Promise<void> {
  const agent = await lockAgent(tx, principal, agentId);
  if (agent.status === "archived") throw new ServiceError("CONFLICT", "This agent is archived: it can have no new keys.");
}
