import "server-only";
import type { AgentDraft } from "@/lib/domain/agents/check-agent-draft";
import { insertVersion } from "@/lib/domain/agents/insert-version";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { newId } from "@/lib/platform/ids";
import type { Transaction } from "@/lib/storage/transaction";

/** Stores an agent that a creation run built, with its first version. The run's id makes it one agent, however often the step runs. */
export async function insertAgent(
  tx: Transaction,
  run: Pick<LoadedRun, "id" | "accountId">,
  agentId: string,
  draft: AgentDraft,
): Promise<void> {
  const versionId = newId();
  await tx.query(
    `INSERT INTO agents (id, account_id, name, description, version, status, write_autonomy, skill_content, config_content, config, dashboard_template,
       current_version_id, created_by_run_id, updated_at) VALUES ($1, $2, $3, $4, '1.0.0', 'active', $5, $6, $7, $8, $9, $10, $11, now())`,
    [
      agentId,
      run.accountId,
      draft.name,
      draft.description,
      draft.writeAutonomy,
      draft.skillContent,
      draft.configContent,
      JSON.stringify(draft.config),
      draft.dashboardTemplate === null ? null : JSON.stringify(draft.dashboardTemplate),
      versionId,
      run.id,
    ],
  );
  await insertVersion(tx, { agentId, versionId, source: "create", releaseNote: null, runId: run.id });
}
