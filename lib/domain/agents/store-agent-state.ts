import "server-only";
import type { AgentRecord } from "@/lib/domain/agents/agent-record";
import { insertVersion, type VersionSource } from "@/lib/domain/agents/insert-version";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import type { Principal } from "@/lib/domain/principal";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
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

/** What decides how far an agent's calls go, and which of them ask. */
interface AgentReach {
  name: string;
  writeAutonomy: string;
  /** A checked config. */
  config: unknown;
}

/**
 * Records a change of an agent's write autonomy, and one of its permissions, tools or connectors; other changes are in its versions alone.
 * Call it in the transaction that stores the change.
 */
async function auditAgentReach(
  tx: Transaction,
  principal: Principal,
  agentId: string,
  before: AgentReach,
  after: AgentReach,
  runId: string | null,
): Promise<void> {
  const object = { kind: "agent", id: agentId, label: after.name };
  if (before.writeAutonomy !== after.writeAutonomy) {
    const changes = { write_autonomy: { from: before.writeAutonomy, to: after.writeAutonomy }, run_id: runId ?? undefined };
    await recordAudit(tx, principal, { action: "agent.autonomy_changed", object, changes });
  }
  const [was, is] = [reachOf(before.config), reachOf(after.config)];
  const fields = FIELDS.filter((field) => was[field].join("\n") !== is[field].join("\n"));
  if (fields.length === 0) return;
  const changes = {
    ...Object.fromEntries(fields.map((field) => [field, { from: was[field], to: is[field] }])),
    run_id: runId ?? undefined,
  };
  await recordAudit(tx, principal, { action: "agent.permissions_changed", object, changes });
}

const FIELDS = ["allow", "ask", "deny", "tools", "connectors"] as const;

function reachOf(stored: unknown): Record<(typeof FIELDS)[number], string[]> {
  const { permissions, tools } = effectiveConfig(stored as AgentConfig); // configs are stored checked
  const connectors = [
    ...tools.mcp.map((server) => `${server.name}: MCP ${hostOf(server.url)}${secretOf(server)}`),
    ...tools.http.map((tool) => `${tool.name}: ${tool.method} ${hostOf(tool.url)}${secretOf(tool)}`),
  ];
  return { ...permissions, tools: tools.builtin, connectors };
}

/** The host alone: an address may carry a token in its path or query. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "?";
}

function secretOf(connector: { auth_secret?: string }): string {
  return connector.auth_secret === undefined ? "" : ` with ${connector.auth_secret}`;
}
