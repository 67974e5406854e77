import "server-only";
import type { AgentRecord } from "@/lib/domain/agents/agent-record";
import { type AgentReach, auditAgentReach } from "@/lib/domain/agents/audit-agent-reach";
import { insertVersion, type VersionSource } from "@/lib/domain/agents/insert-version";
import type { Principal } from "@/lib/domain/principal";
import { newId } from "@/lib/platform/ids";
import type { Transaction } from "@/lib/storage/transaction";

/** What a version of an agent consists of. */
export type AgentState = Pick<
  AgentRecord,
  "name" | "description" | "version" | "writeAutonomy" | "skillContent" | "configContent" | "config" | "dashboardTemplate"
>;

/** The columns of an agent's row under the names of `AgentRecord`. */
export const AGENT_COLUMNS = `id, account_id AS "accountId", name, description, version, status, write_autonomy AS "writeAutonomy", skill_content AS "skillContent",
  config_content AS "configContent", config, dashboard_template AS "dashboardTemplate", current_version_id AS "currentVersionId",
  created_by_run_id AS "createdByRunId", created_at AS "createdAt", updated_at AS "updatedAt"`;

const STORE = `
UPDATE agents SET name = $3, description = $4, version = $5, write_autonomy = $6, skill_content = $7, config_content = $8, config = $9,
  dashboard_template = $10, current_version_id = $11, updated_at = greatest(clock_timestamp(), updated_at)
WHERE id = $1 AND account_id = $2 RETURNING ${AGENT_COLUMNS}`;

/**
 * Makes `state` the agent's current one and keeps it as its next version; a change of its reach goes into the audit log. The agent's row must be locked in this
 * transaction, and `agent` read under that lock.
 */
export async function storeAgentState(
  tx: Transaction,
  principal: Principal,
  agent: { id: string; accountId: string } & AgentReach,
  state: AgentState,
  origin: { source: VersionSource; releaseNote: string | null; runId: string | null },
): Promise<AgentRecord> {
  const versionId = newId();
  const { rows } = await tx.query<AgentRecord>(STORE, [
    agent.id,
    agent.accountId,
    state.name,
    state.description,
    state.version,
    state.writeAutonomy,
    state.skillContent,
    state.configContent,
    JSON.stringify(state.config),
    state.dashboardTemplate === null ? null : JSON.stringify(state.dashboardTemplate),
    versionId,
  ]);
  const [stored] = rows;
  if (!stored) throw new Error("the agent that was locked is gone");
  await insertVersion(tx, { agentId: agent.id, accountId: agent.accountId, versionId, ...origin });
  await auditAgentReach(tx, principal, agent.id, agent, state, origin.runId);
  return stored;
}
