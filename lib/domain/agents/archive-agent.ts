import "server-only";
import { lockAgent } from "@/lib/domain/agents/agent-store";
import { revokeKeysOfAgent } from "@/lib/domain/keys/revoke-key";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { accountTransaction } from "@/lib/platform/postgres";

/**
 * Archives an agent and revokes its app keys, both at once. It can still be read, and its runs too;
 * those in flight end as they would, but an edit among them stores nothing. Again: nothing changes.
 * @throws ServiceError AGENT_NOT_FOUND, RATE_LIMITED
 */
export async function archiveAgent(principal: Principal, agentId: string): Promise<void> {
  await accountTransaction(principal.accountId, async (tx) => {
    await lockAgent(tx, principal, agentId);
    await consumeWriteQuota(tx, principal);
    await tx.query(
      `UPDATE agents SET status = 'archived', updated_at = greatest(clock_timestamp(), updated_at)
       WHERE id = $1 AND account_id = $2 AND status <> 'archived'`,
      [agentId, principal.accountId],
    );
    await revokeKeysOfAgent(tx, principal, agentId);
  });
}
