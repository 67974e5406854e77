import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import type { Principal } from "@/lib/domain/principal";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import type { Transaction } from "@/lib/storage/transaction";

/** What decides how far an agent's calls go, and which of them ask. */
export interface AgentReach {
  name: string;
  writeAutonomy: string;
  /** A checked config. */
  config: unknown;
}

/**
 * Records a change of an agent's write autonomy, and one of its permissions, tools or connectors; other changes are in its versions alone.
 * Call it in the transaction that stores the change.
 */
export async function auditAgentReach(
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
