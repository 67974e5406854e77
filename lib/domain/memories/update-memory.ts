import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { getMemory, type MemoryView, memoryMissing } from "@/lib/domain/memories/memory-view";
import type { Principal } from "@/lib/domain/principal";
import { accountTransaction } from "@/lib/platform/postgres";

/** Replaces a note's text. @throws ServiceError AGENT_NOT_FOUND, MEMORY_NOT_FOUND, RATE_LIMITED */
export async function updateMemory(
  principal: Principal,
  agentId: string,
  memoryId: string,
  text: string,
): Promise<MemoryView> {
  await requireAgent(principal, agentId);
  await accountTransaction(principal.accountId, async (tx) => {
    const { rowCount } = await tx.query(
      `UPDATE agent_memories SET text = $4, updated_at = now() WHERE id = $1 AND agent_id = $2
         AND account_id = $3`,
      [memoryId, agentId, principal.accountId, text],
    );
    if (rowCount === 0) throw memoryMissing();
    await consumeWriteQuota(tx, principal);
  });
  return getMemory(principal, agentId, memoryId);
}
