import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { requireWorkspace } from "@/lib/domain/workspaces/workspace-record";
import { accountTransaction } from "@/lib/platform/postgres";

/**
 * Takes an agent out of a workspace. Again: nothing changes. @throws ServiceError
 * WORKSPACE_NOT_FOUND, AGENT_NOT_FOUND, RATE_LIMITED
 */
export async function unassignAgent(
  principal: Principal,
  workspaceId: string,
  agentId: string,
): Promise<void> {
  await requireWorkspace(principal, workspaceId);
  await requireAgent(principal, agentId);
  await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    await tx.query("DELETE FROM workspace_agents WHERE workspace_id = $1 AND agent_id = $2", [
      workspaceId,
      agentId,
    ]);
  });
}
