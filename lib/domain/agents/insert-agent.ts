import "server-only";
import { insertVersion, keyOrderColumn } from "@/lib/domain/agents/agent-store";
import { requireRoom } from "@/lib/domain/limits/row-caps";
import { ServiceError } from "@/lib/model/errors";
import { RunFailure } from "@/lib/model/run/run-failure";
import { newId } from "@/lib/platform/ids";
import type { Transaction } from "@/lib/platform/postgres";
import type { AgentDraft } from "@/lib/runtime/drafts/check-agent-draft";

/** What `version` says of an agent that is new. */
export const FIRST_VERSION = "1.0.0";

export interface NewAgent {
  agentId: string;
  accountId: string;
  /**
   * The creation run that built it: its id makes it one agent, however often the step runs. Null:
   * made without a run.
   */
  runId: string | null;
  version: string;
  /** What its first version is noted with. */
  releaseNote: string | null;
}

/**
 * Stores an agent with its first version.
 * @throws ServiceError CONFLICT when the account has its fill of agents; of a creation run
 * RunFailure AGENT_BUILD_FAILED, which says the same
 */
export async function insertAgent(
  tx: Transaction,
  { agentId, accountId, runId, version, releaseNote }: NewAgent,
  draft: AgentDraft,
): Promise<void> {
  const versionId = newId();
  await tx.query(
    `INSERT INTO agents (id, account_id, name, description, version, status, write_autonomy, skill_content, config_content, config, dashboard_template,
       current_version_id, created_by_run_id, key_order, updated_at) VALUES ($1, $2, $3, $4, $5, 'active', $6, $7, $8, $9, $10, $11, $12, $13, now())`,
    [
      agentId,
      accountId,
      draft.name,
      draft.description,
      version,
      draft.writeAutonomy,
      draft.skillContent,
      draft.configContent,
      JSON.stringify(draft.config),
      draft.dashboardTemplate === null ? null : JSON.stringify(draft.dashboardTemplate),
      versionId,
      runId,
      keyOrderColumn(draft.keyOrder),
    ],
  );
  await requireRoom(tx, accountId, "agents").catch((error: unknown) => {
    throw runId !== null && error instanceof ServiceError
      ? new RunFailure("AGENT_BUILD_FAILED", error.message)
      : error;
  });
  await insertVersion(tx, { agentId, accountId, versionId, source: "create", releaseNote, runId });
}
