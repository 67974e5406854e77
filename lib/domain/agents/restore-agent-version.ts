import "server-only";
import {
  type AgentRecord,
  lockAgent,
  requireActive,
  storeAgentState,
} from "@/lib/domain/agents/agent-store";
import { getAgentVersion } from "@/lib/domain/agents/get-agent-version";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { accountTransaction } from "@/lib/platform/postgres";

/**
 * Makes the agent read as it did in an earlier version, its `version` included, and keeps that as a
 * new version: nothing is taken out of the history.
 * @throws ServiceError AGENT_NOT_FOUND, VERSION_NOT_FOUND, CONFLICT (archived), RATE_LIMITED
 */
export async function restoreAgentVersion(
  principal: Principal,
  agentId: string,
  versionId: string,
  releaseNote: string | null,
): Promise<AgentRecord> {
  // Immutable, so it may be read before the lock.
  const version = await getAgentVersion(principal, agentId, versionId);
  return accountTransaction(principal.accountId, async (tx) => {
    const agent = await lockAgent(tx, principal, agentId);
    requireActive(agent);
    await consumeWriteQuota(tx, principal);
    return storeAgentState(tx, principal, agent, version, {
      source: "restore",
      releaseNote: releaseNote ?? `Restored from version number ${version.number}.`,
      runId: null,
    });
  });
}
