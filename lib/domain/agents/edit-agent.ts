import "server-only";
import type { AgentPatch } from "@/lib/domain/agents/check-agent-draft";
import { insertVersion } from "@/lib/domain/agents/insert-version";
import type { LoadedAgent, LoadedRun } from "@/lib/domain/execution/load-run";
import { RunFailure } from "@/lib/model/run/run-failure";
import { newId } from "@/lib/platform/ids";
import type { Transaction } from "@/lib/storage/transaction";

/**
 * Stores what an edit run changed as a new version; the last number of `version` goes up.
 * @throws RunFailure EXECUTION_FAILED when the agent was archived meanwhile: nothing is stored
 */
export async function editAgent(tx: Transaction, run: LoadedRun, agent: LoadedAgent, patch: AgentPatch): Promise<void> {
  const versionId = newId();
  const dashboard = patch.dashboardTemplate === undefined ? agent.dashboardTemplate : patch.dashboardTemplate;
  const { rowCount } = await tx.query(
    `UPDATE agents SET name = $3, description = $4, version = $5, write_autonomy = $6, skill_content = $7, config_content = $8, config = $9, dashboard_template = $10,
       current_version_id = $11, updated_at = now() WHERE id = $1 AND account_id = $2 AND status = 'active'`,
    [
      agent.id,
      run.accountId,
      patch.name ?? agent.name,
      patch.description === undefined ? agent.description : patch.description,
      raiseVersion(agent.version),
      patch.writeAutonomy ?? agent.writeAutonomy,
      patch.skillContent ?? agent.skillContent,
      patch.configContent ?? agent.configContent,
      JSON.stringify(patch.config ?? agent.config),
      dashboard === null ? null : JSON.stringify(dashboard),
      versionId,
    ],
  );
  if (!rowCount) throw new RunFailure("EXECUTION_FAILED", "The agent was archived before the edit was done. Nothing was changed.");
  await insertVersion(tx, { agentId: agent.id, versionId, source: "edit", releaseNote: run.releaseNote, runId: run.id });
}

/** `1.4.9` → `1.4.10`; a version without a last number gets one. */
export function raiseVersion(version: string): string {
  const match = /^(.*?)(\d+)$/.exec(version);
  return match ? `${match[1]}${BigInt(match[2] ?? 0) + 1n}` : `${version}.1`;
}
