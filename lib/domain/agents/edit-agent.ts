import "server-only";
import { systemPrincipal } from "@/lib/domain/account/system-principal";
import { AgentChanged } from "@/lib/domain/agents/agent-changed";
import type { AgentPatch } from "@/lib/domain/agents/check-agent-draft";
import { raiseVersion } from "@/lib/domain/agents/raise-version";
import { type AgentState, storeAgentState } from "@/lib/domain/agents/store-agent-state";
import type { LoadedAgent, LoadedRun } from "@/lib/domain/execution/load-run";
import { RunFailure } from "@/lib/model/run/run-failure";
import type { Transaction } from "@/lib/storage/transaction";

/**
 * Stores what an edit run changed as a new version; the last number of `version` goes up. Nothing is stored when it throws.
 * @param agent as the model saw it
 * @throws AgentChanged when that is not the current version any more; RunFailure EXECUTION_FAILED when the agent was archived meanwhile
 */
export async function editAgent(tx: Transaction, run: LoadedRun, agent: LoadedAgent, patch: AgentPatch): Promise<void> {
  await requireUnchanged(tx, run, agent);
  const state = { ...agent, ...patch, version: raiseVersion(agent.version) };
  const origin = { source: "edit", releaseNote: run.releaseNote, runId: run.id } as const;
  const before = { ...agent, accountId: run.accountId };
  await storeAgentState(tx, systemPrincipal(run.accountId), before, state as unknown as AgentState, origin); // a checked config and template are JSON
}

/** Locks the agent until the transaction ends. */
async function requireUnchanged(tx: Transaction, run: LoadedRun, agent: LoadedAgent): Promise<void> {
  const { rows } = await tx.query<{ status: string; current_version_id: string }>(
    "SELECT status, current_version_id FROM agents WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE",
    [agent.id, run.accountId],
  );
  if (rows[0]?.status !== "active") {
    throw new RunFailure("EXECUTION_FAILED", "The agent was archived before the edit was done. Nothing was changed.");
  }
  if (rows[0].current_version_id !== agent.currentVersionId) throw new AgentChanged("the agent was changed after the model had read it");
}
