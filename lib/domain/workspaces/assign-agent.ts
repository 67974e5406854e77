import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { requireWorkspace, workspaceNotFound } from "@/lib/domain/workspaces/workspace-record";
import { accountTransaction } from "@/lib/platform/postgres";

/**
 * Makes an agent one of a workspace's agents. Again: nothing changes. @throws ServiceError
 * WORKSPACE_NOT_FOUND, AGENT_NOT_FOUND, RATE_LIMITED
 */
export async function assignAgent(
  principal: Principal,
  workspaceId: string,
  agentId: string,
): Promise<void> {
  await requireWorkspace(principal, workspaceId);
  await requireAgent(principal, agentId);
  await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    // A deletion at the same time waits for this one, or has been first.
    const there = await tx.query(
      "SELECT 1 FROM workspaces WHERE id = $1 AND account_id = $2 FOR KEY SHARE",
      [workspaceId, principal.accountId],
    );
    if (!there.rowCount) throw workspaceNotFound();
    await tx.query(
      `INSERT INTO workspace_agents (workspace_id, agent_id) VALUES ($1, $2)
       ON CONFLICT DO NOTHING`,
      [workspaceId, agentId],
    );
  });
}
