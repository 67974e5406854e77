import "server-only";
import {
  KEPT_COLUMNS,
  KEPT_OF_AGENT,
  STORED_STATE,
  TEXT_PLACE,
} from "@/lib/domain/agents/kept-columns";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { readCap } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { AGENT_FIELDS, type KeptAgentKey } from "@/lib/model/agent/agent-fields";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { inKeyOrder, type KeyOrder } from "@/lib/model/agent-config/key-order";
import type { TextError } from "@/lib/model/agent-config/yaml/scan-yaml";
import { ServiceError } from "@/lib/model/errors";
import { selectList } from "@/lib/model/fields/field-table";
import { newId } from "@/lib/platform/ids";
import type { Transaction } from "@/lib/platform/postgres";
import type { Agent, AgentVersion } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/** An agent's row, for the surfaces: they do not reach the database. */
export type AgentRecord = Agent;

/** A version's row, for the surfaces: they do not reach the database. */
export type AgentVersionRecord = AgentVersion;

/** What lists carry of a version: all but its texts. */
export type AgentVersionMetadata = Pick<
  AgentVersion,
  "id" | "number" | "version" | "releaseNote" | "source" | "runId" | "createdAt"
>;

/**
 * The account's agent, archived ones too, locked until the transaction ends: changes of one agent
 * come one after another. Rows that only point to it (runs, versions) do not wait. Take this lock
 * before the hourly write, as everybody does: the other order can deadlock.
 * @throws ServiceError AGENT_NOT_FOUND
 */
export async function lockAgent(
  tx: Transaction,
  principal: Principal,
  agentId: string,
): Promise<AgentRecord> {
  const { rows } = await tx.query<AgentRecord>(
    `SELECT ${AGENT_COLUMNS} FROM agents WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`,
    [agentId, principal.accountId],
  );
  const [agent] = rows;
  if (!agent) throw new ServiceError("AGENT_NOT_FOUND", "There is no such agent.");
  return inWrittenOrder(agent);
}

/** The account's agent, archived ones too. @throws ServiceError AGENT_NOT_FOUND */
export async function requireAgent(principal: Principal, agentId: string): Promise<Agent> {
  const agent = await prisma().agent.findFirst({
    where: { id: agentId, accountId: principal.accountId },
  });
  if (!agent) throw new ServiceError("AGENT_NOT_FOUND", "There is no such agent.");
  return inWrittenOrder(agent);
}

/** A row with the keys of its config in the order of its text, which the column does not keep. */
export function inWrittenOrder<T extends { config: unknown; keyOrder: unknown }>(row: T): T {
  // Stored as one, or null.
  return { ...row, config: inKeyOrder(row.config, row.keyOrder as KeyOrder | null) };
}

/** What `key_order` holds: the order in which the config's text names its keys. */
export function keyOrderColumn(order: unknown): string | null {
  return order === null ? null : JSON.stringify(order);
}

/** @throws ServiceError CONFLICT when the agent is archived */
export function requireActive(agent: Agent): void {
  if (agent.status !== "active")
    throw new ServiceError(
      "CONFLICT",
      "This agent is archived: it can be read, but not run or changed.",
    );
}

const FORGET = `
DELETE FROM agent_versions WHERE agent_id = $1 AND number <= $2 AND number NOT IN (
  SELECT agent_version FROM schedules WHERE agent_id = $1 AND account_id = $3
    AND agent_version IS NOT NULL
  UNION ALL SELECT agent_version FROM api_keys WHERE agent_id = $1 AND account_id = $3
    AND agent_version IS NOT NULL AND revoked_at IS NULL
  UNION ALL SELECT agent_version FROM runs WHERE agent_id = $1 AND account_id = $3
    AND agent_version IS NOT NULL AND status IN ('pending', 'running'))`;

export type VersionSource = "create" | "patch" | "edit" | "restore";

/**
 * Keeps the agent as it is now as its next version; of more than its cap of versions the oldest go,
 * but for those that a schedule, an app key or a run at work keeps to. The newest is the current
 * one, so that never goes. The agent's row must be locked or fresh in this transaction.
 */
export async function insertVersion(
  tx: Transaction,
  version: {
    agentId: string;
    accountId: string;
    versionId: string;
    source: VersionSource;
    releaseNote: string | null;
    runId: string | null;
  },
): Promise<void> {
  const { rows } = await tx.query<{ number: number }>(
    `INSERT INTO agent_versions (id, agent_id, number, release_note, source, run_id,
       ${KEPT_COLUMNS})
     SELECT $1, a.id, 1 + coalesce((SELECT max(number) FROM agent_versions WHERE agent_id = a.id),
       0), $3, $4, $5, ${KEPT_OF_AGENT}
     FROM agents a WHERE a.id = $2
     RETURNING number`,
    [version.versionId, version.agentId, version.releaseNote, version.source, version.runId],
  );
  // Numbers count up by one, and only the oldest ever go: so this leaves as many as the cap, and
  // those that are named.
  const kept = Math.max(1, await readCap(tx, version.accountId, "versions"));
  await tx.query(FORGET, [version.agentId, (rows[0]?.number ?? 0) - kept, version.accountId]);
}

/** What a version of an agent consists of. */
export type AgentState = Pick<AgentRecord, Exclude<KeptAgentKey, "keyOrder">> & {
  /** Of the config's text; where that stays, what is stored of it stays too. */
  keyOrder: unknown;
};

/** The columns of an agent's row under the names of `AgentRecord`. */
export const AGENT_COLUMNS = selectList(AGENT_FIELDS);

const STORE = `
UPDATE agents SET ${STORED_STATE.changes}, current_version_id = $3,
  key_order = CASE WHEN config_content = ${TEXT_PLACE} THEN key_order
  ELSE ${STORED_STATE.next}::jsonb END, updated_at = greatest(clock_timestamp(), updated_at)
WHERE id = $1 AND account_id = $2 RETURNING ${AGENT_COLUMNS}`;

/**
 * Makes `state` the agent's current one and keeps it as its next version; a change of its reach
 * goes into the audit log. The agent's row must be locked in this transaction, and `agent` read
 * under that lock.
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
    versionId,
    ...STORED_STATE.values(state),
    keyOrderColumn(state.keyOrder),
  ]);
  const [stored] = rows;
  if (!stored) throw new Error("the agent that was locked is gone");
  await insertVersion(tx, { agentId: agent.id, accountId: agent.accountId, versionId, ...origin });
  await auditAgentReach(tx, principal, agent.id, agent, state, origin.runId);
  return inWrittenOrder(stored);
}

/** What decides how far an agent's calls go, and which of them ask. */
interface AgentReach {
  name: string;
  writeAutonomy: string;
  /** A checked config. */
  config: unknown;
}

/**
 * Records a change of an agent's write autonomy, and one of its permissions, tools or connectors;
 * other changes are in its versions alone.
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
    const changes = {
      write_autonomy: { from: before.writeAutonomy, to: after.writeAutonomy },
      run_id: runId ?? undefined,
    };
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
  // Configs are stored checked.
  const { permissions, tools } = effectiveConfig(stored as AgentConfig);
  const connectors = [
    ...tools.mcp.map((server) => `${server.name}: MCP ${hostOf(server.url)}${secretOf(server)}`),
    ...tools.http.map(
      (tool) => `${tool.name}: ${tool.method} ${hostOf(tool.url)}${secretOf(tool)}`,
    ),
  ];
  return { ...permissions, tools: tools.builtin, connectors };
}

/** The host alone: an address may carry a token in its path or query. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "?";
}

function secretOf(connector: { auth?: "oauth"; auth_secret?: string }): string {
  if (connector.auth === "oauth") return " signed in";
  return connector.auth_secret === undefined ? "" : ` with ${connector.auth_secret}`;
}

/**
 * A 400 about places of a YAML text, each with its line and column.
 * @param field the request's name of the text; empty where the body itself is the text
 */
export function invalidText(field: string, errors: readonly TextError[]): ServiceError {
  const details = errors.map(({ path, message, line, column }) => ({
    path: [field, path].filter(Boolean).join("."),
    message: `line ${line}, column ${column}: ${message}`,
    line,
    column,
  }));
  const message = details
    .map((detail) => (detail.path ? `${detail.path}: ${detail.message}` : detail.message))
    .join("; ");
  return new ServiceError("INVALID_INPUT", message, { details });
}
