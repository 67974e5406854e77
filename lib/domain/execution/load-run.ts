import "server-only";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import type { ApprovalStatus } from "@/lib/model/approval/approval-status";
import { RunFailure } from "@/lib/model/run/run-failure";
import type { RunKind, RunOrigin, RunStatus } from "@/lib/model/run/run-status";
import type { WriteAutonomy } from "@/lib/model/write-autonomy";
import { postgres } from "@/lib/platform/postgres";
import type { TurnContent } from "@/lib/runtime/models/turn-prompt";

export interface LoadedAgent {
  id: string;
  name: string;
  description: string | null;
  version: string;
  skillContent: string;
  configContent: string;
  config: AgentConfig;
  writeAutonomy: WriteAutonomy;
  dashboardTemplate: unknown;
  currentVersionId: string;
  /** Whether a person had it made: not so what an agent's run created. */
  isOwners: boolean;
}

/** Everything that a step of a run works on. */
export interface LoadedRun {
  id: string;
  accountId: string;
  kind: RunKind;
  status: RunStatus;
  agent: LoadedAgent | null;
  conversationId: string | null;
  workspaceId: string | null;
  /** Whether a workspace's files are at hand: this run's, or those that an earlier one of the conversation may have told of. */
  hasFiles: boolean;
  input: Record<string, unknown>;
  model: string;
  /** Who asked for it. */
  origin: RunOrigin;
  /** The super-agent's run that started it. */
  parentRunId: string | null;
  maxCreditsMicros: bigint | null;
  spentMicros: bigint;
  releaseNote: string | null;
  startedAt: Date | null;
  turns: StoredTurn[];
  toolResults: Map<string, StoredToolResult>;
  /** By tool call: the one that decides it. */
  approvals: Map<string, StoredApproval>;
  /** All that a person has said yes to in this run. */
  approved: StoredApproval[];
  /** How long the run has waited for people and for places that accounts share, in milliseconds: time that its limit does not count. */
  waitedMs: number;
}

export interface StoredTurn {
  turn: number;
  messageId: string;
  model: string;
  content: TurnContent;
  /** The version of the agent that the model saw; null without an agent. */
  agentVersionId: string | null;
}

export interface StoredToolResult {
  toolCallId: string;
  name: string;
  succeeded: boolean;
  output: unknown;
}

/** What a person was asked about a tool call, and said. */
export interface StoredApproval {
  /** Null once a later approval of the same call has replaced it. */
  toolCallId: string | null;
  id: string;
  toolName: string;
  arguments: unknown;
  status: ApprovalStatus;
  message: string | null;
  /** Of what was shown; null in rows of an older version, which recorded none. */
  digest: string | null;
}

interface Row {
  id: string;
  account_id: string;
  kind: RunKind;
  status: RunStatus;
  agent_id: string | null;
  conversation_id: string | null;
  workspace_id: string | null;
  has_files: boolean;
  input: Record<string, unknown>;
  model: string;
  origin: RunOrigin;
  parent_run_id: string | null;
  max_credits_micros: string | null;
  spent: string;
  release_note: string | null;
  started_at: Date | null;
  queued_ms: number;
  agent: Omit<LoadedAgent, "id"> | null;
  turns: StoredTurn[] | null;
  results: StoredToolResult[] | null;
  approvals: (StoredApproval & { waitedMs: number | null })[] | null;
}

const LOAD = `
SELECT r.id, r.account_id, r.kind, r.status, r.agent_id, r.conversation_id, r.workspace_id, r.input, r.model, r.origin, r.parent_run_id, r.max_credits_micros, r.release_note, r.started_at, r.queued_ms,
  r.workspace_id IS NOT NULL OR EXISTS (SELECT 1 FROM runs o WHERE o.conversation_id = r.conversation_id AND o.account_id = r.account_id AND o.workspace_id IS NOT NULL) AS has_files,
  (SELECT coalesce(sum(credits_micros), 0) FROM run_usage u WHERE u.run_id = r.id) AS spent,
  (SELECT jsonb_build_object('name', a.name, 'description', a.description, 'version', a.version, 'skillContent', a.skill_content, 'configContent', a.config_content,
     'config', a.config, 'writeAutonomy', a.write_autonomy, 'dashboardTemplate', a.dashboard_template,
     'currentVersionId', a.current_version_id, 'isOwners', a.created_by_run_id IS NULL OR EXISTS (
       SELECT 1 FROM runs c WHERE c.id = a.created_by_run_id AND c.account_id = a.account_id AND c.origin <> 'agent')) FROM agents a WHERE a.id = r.agent_id) AS agent,
  (SELECT jsonb_agg(jsonb_build_object('turn', t.turn, 'messageId', t.message_id, 'model', t.model, 'content', t.content, 'agentVersionId', t.agent_version_id) ORDER BY t.turn) FROM run_turns t WHERE t.run_id = r.id) AS turns,
  (SELECT jsonb_agg(jsonb_build_object('toolCallId', s.tool_call_id, 'name', s.name, 'succeeded', s.succeeded, 'output', s.output)) FROM run_tool_results s WHERE s.run_id = r.id) AS results,
  (SELECT jsonb_agg(jsonb_build_object('toolCallId', p.tool_call_id, 'id', p.id, 'toolName', p.tool_name, 'arguments', p.arguments, 'status', p.status,
     'message', p.message, 'digest', p.digest,
     'waitedMs', extract(epoch FROM p.decided_at - p.created_at) * 1000)) FROM approvals p WHERE p.run_id = r.id) AS approvals
FROM runs r WHERE r.id = $1`;

/** Reads a run with its agent, transcript and cost, in one statement. @throws RunFailure when the run is gone */
export async function loadRun(runId: string): Promise<LoadedRun> {
  const { rows } = await postgres().query<Row>({ name: "load-run", text: LOAD, values: [runId] });
  const row = rows[0];
  if (!row) throw new RunFailure("EXECUTION_FAILED", "The run does not exist any more.");
  const approvals = (row.approvals ?? []).map(({ waitedMs: _, ...approval }) => approval);
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    status: row.status,
    agent: row.agent && row.agent_id ? { ...row.agent, id: row.agent_id } : null,
    conversationId: row.conversation_id,
    workspaceId: row.workspace_id,
    hasFiles: row.has_files,
    input: row.input,
    model: row.model,
    origin: row.origin,
    parentRunId: row.parent_run_id,
    maxCreditsMicros: row.max_credits_micros === null ? null : BigInt(row.max_credits_micros),
    spentMicros: BigInt(row.spent),
    releaseNote: row.release_note,
    startedAt: row.started_at,
    turns: row.turns ?? [],
    toolResults: new Map((row.results ?? []).map((result) => [result.toolCallId, result])),
    approvals: new Map(approvals.flatMap((approval) => (approval.toolCallId === null ? [] : [[approval.toolCallId, approval]]))),
    approved: approvals.filter(({ status }) => status === "approved"),
    waitedMs: (row.approvals ?? []).reduce((sum, approval) => sum + (approval.waitedMs ?? 0), row.queued_ms),
  };
}
