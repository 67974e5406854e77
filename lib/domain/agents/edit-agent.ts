import "server-only";
import { systemPrincipal } from "@/lib/domain/account/system-principal";
import { AgentChanged } from "@/lib/domain/agents/agent-changed";
import type { AgentPatch } from "@/lib/domain/agents/check-agent-draft";
import { type AgentState, storeAgentState } from "@/lib/domain/agents/store-agent-state";
import type { LoadedAgent, LoadedRun } from "@/lib/domain/execution/load-run";
import { hasAtMostCharacters } from "@/lib/model/has-at-most-characters";
import { VERSION_MAX_CHARACTERS } from "@/lib/model/limits";
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

/** `1.4.9` → `1.4.10`; a version without a last number, or without room for a longer one, gets one. */
export function raiseVersion(version: string): string {
  const match = /^(.*?)(\d+)$/s.exec(version);
  const raised = match ? `${match[1]}${BigInt(match[2] ?? 0) + 1n}` : `${version}.1`;
  if (hasAtMostCharacters(raised, VERSION_MAX_CHARACTERS)) return raised;
  const characters = [...version].slice(0, VERSION_MAX_CHARACTERS - 2);
  return `${characters.join("")}.1`;
}
