import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { clientValues, seenByClient } from "@/lib/domain/seen-by-client";
import { ServiceError } from "@/lib/model/errors";
import type { RunFailureCode } from "@/lib/model/run/run-failure";
import { type RunResult, toCredits, type Usage, type UsageRow } from "@/lib/model/run/run-result";
import { AGENT_ROUTE_KINDS, type RunKind, type RunStatus } from "@/lib/model/run/run-status";
import { postgres } from "@/lib/platform/postgres";

/**
 * What a running run waits for: a person's decision, or results of tools that whoever started it
 * carries out.
 */
export type RequiredAction =
  | { type: "approval"; approval_id: string }
  | { type: "client_tool"; calls: { tool_call_id: string; name: string; arguments: unknown }[] };

/**
 * A run as verbs hand it out: the row with its usage added up. Artifact urls are signed by the
 * surfaces.
 */
export interface RunView {
  id: string;
  accountId: string;
  kind: RunKind;
  status: RunStatus;
  agentId: string | null;
  conversationId: string | null;
  workspaceId: string | null;
  /** The run that it repeats; it may be gone. */
  replayedFrom: string | null;
  /**
   * The number of the version of its agent that it keeps to; null: the agent as it is at each turn.
   */
  agentVersion: number | null;
  input: unknown;
  model: string;
  metadata: Record<string, string>;
  requiresAction: RequiredAction | null;
  result: RunResult | null;
  error: { code: RunFailureCode; message: string } | null;
  usage: Usage;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  webhookDeliveredAt: Date | null;
}

/** A row of `RUN_COLUMNS`. */
export interface RunRow {
  id: string;
  account_id: string;
  kind: RunKind;
  status: RunStatus;
  agent_id: string | null;
  conversation_id: string | null;
  workspace_id: string | null;
  replayed_from: string | null;
  agent_version: number | null;
  input: unknown;
  model: string;
  metadata: Record<string, string>;
  requires_action: RunView["requiresAction"];
  result: RunResult | null;
  error: RunView["error"];
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
  webhook_delivered_at: Date | null;
  usage: UsageSum[] | null;
}

export interface UsageSum {
  model: string;
  capability: UsageRow["capability"];
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens: number;
  units: number;
  micros: number;
}

/** One row per model and capability, as JSON: the run and its usage are one read. */
export const USAGE_OF_RUN = `(SELECT jsonb_agg(u ORDER BY u.model, u.capability) FROM (
  SELECT model, capability, sum(input_tokens)::bigint AS input_tokens, sum(output_tokens)::bigint AS output_tokens,
    sum(cached_input_tokens)::bigint AS cached_input_tokens, sum(units)::bigint AS units, sum(credits_micros)::bigint AS micros
  FROM run_usage WHERE run_id = r.id GROUP BY model, capability) u)`;

export const RUN_COLUMNS = `r.id, r.account_id, r.kind, r.status, r.agent_id, r.conversation_id, r.workspace_id, r.replayed_from, r.agent_version, r.input, r.model, r.metadata,
  r.requires_action, r.result, r.error, r.created_at, r.started_at, r.completed_at, r.webhook_delivered_at, ${USAGE_OF_RUN} AS usage`;

export function toUsage(sums: UsageSum[] | null): Usage {
  const rows = sums ?? [];
  const micros = rows.reduce((sum, row) => sum + row.micros, 0);
  return {
    credits: toCredits(micros),
    breakdown: rows.map((row) => ({
      model: row.model,
      capability: row.capability,
      input_tokens: row.input_tokens,
      output_tokens: row.output_tokens,
      cached_input_tokens: row.cached_input_tokens,
      units: row.units,
      credits: toCredits(row.micros),
    })),
  };
}

export function toRunView(row: RunRow): RunView {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    status: row.status,
    agentId: row.agent_id,
    conversationId: row.conversation_id,
    workspaceId: row.workspace_id,
    replayedFrom: row.replayed_from,
    agentVersion: row.agent_version,
    input: row.input,
    model: row.model,
    metadata: row.metadata,
    requiresAction: row.requires_action,
    result: row.result,
    error: row.error,
    usage: toUsage(row.usage),
    createdAt: row.created_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    webhookDeliveredAt: row.webhook_delivered_at,
  };
}

/**
 * A run of the account and of one of `kinds`, with its usage, in one read. @throws ServiceError
 * RUN_NOT_FOUND
 */
export async function getRun(
  principal: Principal,
  runId: string,
  kinds: readonly RunKind[] = AGENT_ROUTE_KINDS,
): Promise<RunView> {
  const { rows } = await postgres().query<RunRow>({
    name: "get-run",
    text: `SELECT ${RUN_COLUMNS} FROM runs r WHERE r.id = $1 AND r.account_id = $2 AND r.kind = ANY($3) AND ($4::uuid IS NULL OR r.agent_id = $4) AND ${seenByClient("r", "$5", "$6")}`,
    values: [runId, principal.accountId, kinds, principal.agentId, ...clientValues(principal)],
  });
  const row = rows[0];
  if (!row) throw new ServiceError("RUN_NOT_FOUND", "There is no such run.");
  return toRunView(row);
}

/**
 * Whether a run that the engine waits for has ended, or is gone. An end that is being written is
 * waited for: it tells those that wait within its own transaction, and one whose wait was stored
 * meanwhile is not among them.
 */
export async function hasEnded(runId: string): Promise<boolean> {
  const { rowCount } = await postgres().query(
    "SELECT 1 FROM runs WHERE id = $1 AND completed_at IS NULL FOR SHARE",
    [runId],
  );
  return rowCount === 0;
}
