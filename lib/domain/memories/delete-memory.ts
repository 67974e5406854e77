import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { memoryMissing } from "@/lib/domain/memories/memory-view";
import type { Principal } from "@/lib/domain/principal";
import { accountTransaction } from "@/lib/platform/postgres";

/**
 * Has an agent forget a note. @throws ServiceError AGENT_NOT_FOUND, MEMORY_NOT_FOUND, RATE_LIMITED
 */
export async function deleteMemory(
  principal: Principal,
  agentId: string,
  memoryId: string,
): Promise<void> {
  await requireAgent(principal, agentId);
  await accountTransaction(principal.accountId, async (tx) => {
    const { rowCount } = await tx.query(
      "DELETE FROM agent_memories WHERE id = $1 AND agent_id = $2 AND account_id = $3",
      [memoryId, agentId, principal.accountId],
    );
    if (rowCount === 0) throw memoryMissing();
    await consumeWriteQuota(tx, principal);
  });
}
