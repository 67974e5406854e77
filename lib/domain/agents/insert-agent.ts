import "server-only";
import { insertVersion } from "@/lib/domain/agents/agent-store";
import { requireRoom } from "@/lib/domain/limits/row-caps";
import { AGENT_FIELDS, KEPT_AGENT_KEYS, UNSAID_AGENT } from "@/lib/model/agent/agent-fields";
import { ServiceError } from "@/lib/model/errors";
import { storeList } from "@/lib/model/fields/field-table";
import { RunFailure } from "@/lib/model/run/run-failure";
import { newId } from "@/lib/platform/ids";
import type { Transaction } from "@/lib/platform/postgres";
import type { AgentDraft } from "@/lib/runtime/drafts/check-agent-draft";

/** What `version` says of an agent that is new. */
export const FIRST_VERSION = "1.0.0";

const STATE = storeList(AGENT_FIELDS, KEPT_AGENT_KEYS, 5);
const INSERT = `
INSERT INTO agents (id, account_id, current_version_id, created_by_run_id, ${STATE.columns}, status,
  updated_at)
VALUES ($1, $2, $3, $4, ${STATE.places}, 'active', now())`;

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
  await tx.query(INSERT, [
    agentId,
    accountId,
    versionId,
    runId,
    ...STATE.values({ ...UNSAID_AGENT, ...draft, version }),
  ]);
  await requireRoom(tx, accountId, "agents").catch((error: unknown) => {
    throw runId !== null && error instanceof ServiceError
      ? new RunFailure("AGENT_BUILD_FAILED", error.message)
      : error;
  });
  await insertVersion(tx, { agentId, accountId, versionId, source: "create", releaseNote, runId });
}
