import "server-only";
import { type AgentRecord, requireAgent } from "@/lib/domain/agents/agent-store";
import { FIRST_VERSION, insertAgent } from "@/lib/domain/agents/insert-agent";
import { copyRememberedApprovals } from "@/lib/domain/approvals/remembered-approvals";
import { copyCases } from "@/lib/domain/datasets/agent-cases";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import type { KeyOrder } from "@/lib/model/agent-config/key-order";
import { NAME_MAX_CHARACTERS } from "@/lib/model/limits";
import type { WriteAutonomy } from "@/lib/model/write-autonomy";
import { newId } from "@/lib/platform/ids";
import { accountTransaction } from "@/lib/platform/postgres";

const SUFFIX = " (copy)";

/**
 * A new, active agent with the texts of another, an archived one too, its cases, and the tools that
 * it asks no more about. Its history starts anew; keys, schedules, workspaces and conversations
 * stay with the original.
 * @throws ServiceError AGENT_NOT_FOUND, RATE_LIMITED
 */
export async function duplicateAgent(principal: Principal, agentId: string): Promise<AgentRecord> {
  const agent = await requireAgent(principal, agentId);
  const copyId = newId();
  const draft = {
    ...agent,
    name: copyName(agent.name),
    // Stored only after validation.
    config: agent.config as unknown as AgentConfig,
    writeAutonomy: agent.writeAutonomy as WriteAutonomy,
    keyOrder: agent.keyOrder as KeyOrder | null,
  };
  await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    await insertAgent(
      tx,
      {
        agentId: copyId,
        accountId: principal.accountId,
        runId: null,
        version: FIRST_VERSION,
        releaseNote: null,
      },
      draft,
    );
    const both = { from: agentId, to: copyId };
    await copyCases(tx, principal.accountId, both);
    await copyRememberedApprovals(tx, principal.accountId, both);
  });
  return requireAgent(principal, copyId);
}

/**
 * Cut where that is needed, but never through a surrogate pair, which the database would refuse.
 */
function copyName(name: string): string {
  return (
    name.slice(0, NAME_MAX_CHARACTERS - SUFFIX.length).replace(/[\uD800-\uDBFF]$/, "") + SUFFIX
  );
}
