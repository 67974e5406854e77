import "server-only";
import { type AgentState, storeAgentState } from "@/lib/domain/agents/agent-store";
import type { LoadedAgent, LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import type { ToolResult } from "@/lib/domain/execution/tools/tool-call";
import { systemPrincipal } from "@/lib/domain/principal";
import { VERSION_MAX_CHARACTERS } from "@/lib/model/limits";
import { RunFailure } from "@/lib/model/run/run-failure";
import { trimEnd } from "@/lib/model/text/trim";
import { hasAtMostCharacters } from "@/lib/model/text-of";
import type { Transaction } from "@/lib/platform/postgres";
import type { AgentPatch } from "@/lib/runtime/drafts/check-agent-draft";

/**
 * Stores what an edit run changed as a new version; the last number of `version` goes up. Nothing
 * is stored when it throws.
 * @param agent as the model saw it
 * @throws AgentChanged when that is not the current version any more; RunFailure EXECUTION_FAILED
 * when the agent was archived meanwhile
 */
export async function editAgent(
  tx: Transaction,
  run: LoadedRun,
  agent: LoadedAgent,
  patch: AgentPatch,
  releaseNote: string | null,
): Promise<void> {
  await requireUnchanged(tx, run, agent);
  const state = { ...agent, keyOrder: null, ...patch, version: bumpVersion(agent.version) };
  const origin = { source: "edit", releaseNote, runId: run.id } as const;
  const before = { ...agent, accountId: run.accountId };
  await storeAgentState(
    tx,
    systemPrincipal(run.accountId),
    before,
    state as unknown as AgentState,
    origin,
  ); // a checked config and template are JSON
}

/** Locks the agent until the transaction ends. */
async function requireUnchanged(
  tx: Transaction,
  run: LoadedRun,
  agent: LoadedAgent,
): Promise<void> {
  const { rows } = await tx.query<{ status: string; current_version_id: string }>(
    `SELECT status, current_version_id FROM agents WHERE id = $1 AND account_id = $2
     FOR NO KEY UPDATE`,
    [agent.id, run.accountId],
  );
  if (rows[0]?.status !== "active") {
    throw new RunFailure(
      "EXECUTION_FAILED",
      "The agent was archived before the edit was done. Nothing was changed.",
    );
  }
  if (rows[0].current_version_id !== agent.currentVersionId)
    throw new AgentChanged("the agent was changed after the model had read it");
}

/**
 * `1.4.9` → `1.4.10`; a version without a last number, or without room for a longer one, gets one.
 */
export function bumpVersion(version: string): string {
  const rest = trimEnd(version, "0123456789");
  const last = version.slice(rest.length);
  const raised = last === "" ? `${version}.1` : `${rest}${BigInt(last) + 1n}`;
  if (hasAtMostCharacters(raised, VERSION_MAX_CHARACTERS)) return raised;
  const characters = [...version].slice(0, VERSION_MAX_CHARACTERS - 2);
  return `${characters.join("")}.1`;
}

/**
 * Thrown where a change was worked out on a version of the agent that is no longer the current one;
 * the transaction that it ends stores nothing.
 */
export class AgentChanged extends Error {
  override readonly name = "AgentChanged";
  /** What the model is told of it. */
  static readonly told =
    "The agent was changed by somebody else after you read it, so nothing was stored. " +
    "current_agent shows it as it is now.";
}

/**
 * What an edit's model is told when somebody else changed the agent while it thought: nothing was
 * stored, and its next turn shows the agent as it is now.
 * The model then makes its change again on that, so that no edit overwrites what it has not seen
 * (docs/decisions/0006).
 */
export function agentChangedResult(): ToolResult {
  const error = `${AgentChanged.told} Make the requested change on that and call the tool again.`;
  return { succeeded: false, output: { error, agent_changed: true } };
}
