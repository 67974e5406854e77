import "server-only";
import { KEPT_AS_JSON, KEPT_OF_AGENT, KEPT_OF_VERSION } from "@/lib/domain/agents/kept-columns";
import {
  type ConversationContext,
  HISTORY_CHARACTERS_MAX,
  HISTORY_MESSAGES_MAX,
  type HistoryMessage,
} from "@/lib/domain/execution/earlier-runs";
import { type SealedSecret, sealedOf } from "@/lib/domain/execution/secret-redactor";
import { USAGE_OF_RUN, type UsageSum } from "@/lib/domain/runs/run-view";
import type { RunSkill } from "@/lib/domain/skills/skill-view";
import { inKeyOrder, type KeyOrder } from "@/lib/model/agent-config/key-order";
import type { ApprovalStatus } from "@/lib/model/approval/approval";
import { RunFailure } from "@/lib/model/run/run-failure";
import type { Artifact } from "@/lib/model/run/run-result";
import type { RunKind, RunOrigin, RunStatus } from "@/lib/model/run/run-status";
import { postgres } from "@/lib/platform/postgres";
import type { AgentDraft } from "@/lib/runtime/drafts/check-agent-draft";
import type { TurnContent } from "@/lib/runtime/models/read-turn";
import type { TodoState } from "@/lib/runtime/tools/tool";

const ARTIFACTS_MAX = 200;

/** What its draft says, but for what only a text that is stored needs. */
export interface LoadedAgent extends Omit<AgentDraft, "keyOrder"> {
  id: string;
  version: string;
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
  /**
   * Whether it, or an earlier run of its conversation, has seen what is private: a workspace's
   * files, a result of a connector, of the caller's program or of the super-agent's tools, notes,
   * an end user's words. Of a build: whether somebody else's words were read for it.
   */
  seenPrivate: boolean;
  input: Record<string, unknown>;
  /** Whom it serves, as its caller names them; null where it named nobody. */
  endUser: string | null;
  model: string;
  /** Who asked for it. */
  origin: RunOrigin;
  /** The super-agent's run that started it. */
  parentRunId: string | null;
  maxCreditsMicros: bigint | null;
  spentMicros: bigint;
  releaseNote: string | null;
  startedAt: Date | null;
  createdAt: Date;
  /** The trace that its steps are part of. */
  traceParent: string | null;
  turns: StoredTurn[];
  toolResults: Map<string, StoredToolResult>;
  /** By tool call: the one that decides it. */
  approvals: Map<string, StoredApproval>;
  /** All that a person has said yes to in this run. */
  approved: StoredApproval[];
  /**
   * How long the run has waited for people and for places that accounts share, in milliseconds:
   * time that its limit does not count.
   */
  waitedMs: number;
  /** Who hears of its end beside those who follow it. */
  webhookUrl: string | null;
  shouldNotify: boolean;
  /** What was charged so far, by model and capability. */
  usage: UsageSum[];
  /**
   * Where runs came before it: in its own conversation, or in that of the run that it replays,
   * before that one's request; null where none did.
   */
  earlierIn: { conversationId: string; before: number | null } | null;
  /**
   * The conversation before this run, newest first: its newest messages, of runs that came to an
   * end.
   */
  history: HistoryMessage[];
  /** What its prompt shows of the conversation; null until it was read. */
  conversation: ConversationContext | null;
  /** What the account's runs may read. */
  skills: RunSkill[];
  secrets: SealedSecret[];
  artifacts: Artifact[];
  workspace: { name: string; fileCount: number } | null;
  /** The message that an attempt at the next turn began and never finished: its deltas are void. */
  openMessageId: string | null;
  todo: TodoState;
  /**
   * What stands in the prompt for the conversation before this run and its turns before `fromTurn`;
   * null while all of it fits.
   */
  compaction: Compaction | null;
}

export interface Compaction {
  summary: string;
  fromTurn: number;
}

export interface StoredTurn {
  turn: number;
  messageId: string;
  model: string;
  content: TurnContent;
  /**
   * How the model ended it: `stop`, `length`, `content-filter`, `tool-calls`, `error` or `other`.
   */
  finishReason: string;
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
  /** What the person was told. */
  summary: string;
  /** Whether the run's log shows the decision. */
  decisionShown: boolean;
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
  seen_private: boolean;
  input: Record<string, unknown>;
  end_user: string | null;
  model: string;
  agent_version: number | null;
  origin: RunOrigin;
  parent_run_id: string | null;
  max_credits_micros: string | null;
  spent: string;
  release_note: string | null;
  queued_ms: number;
  elapsed_ms: number | null;
  created_at: Date;
  trace_parent: string | null;
  webhook_url: string | null;
  should_notify: boolean;
  usage: UsageSum[] | null;
  history: HistoryMessage[] | null;
  earlier_in: LoadedRun["earlierIn"];
  skills: RunSkill[] | null;
  secrets: SealedSecret[] | null;
  artifacts: Artifact[] | null;
  workspace: { name: string; fileCount: number } | null;
  open_message_id: string | null;
  todo: { card_id: string; items: TodoState["items"] } | null;
  compaction: Compaction | null;
  agent: (Omit<LoadedAgent, "id"> & { keyOrder: KeyOrder | null }) | null;
  turns: StoredTurn[] | null;
  results: StoredToolResult[] | null;
  approvals: (StoredApproval & { waitedMs: number | null })[] | null;
}

// A build goes on from what was said to one that failed, too. The history asks for the status of
// each message's run: joined, a database that has no statistics yet begins with all completed runs.
const LOAD = `
SELECT r.id, r.account_id, r.kind, r.status, r.agent_id, r.conversation_id, r.workspace_id, r.input, r.metadata ->> 'end_user' AS end_user, r.model, r.agent_version, r.origin, r.parent_run_id, r.max_credits_micros, r.release_note, r.queued_ms, r.created_at, r.trace_parent, r.webhook_url, r.should_notify,
  (extract(epoch FROM clock_timestamp() - r.started_at) * 1000)::float8 AS elapsed_ms, l.open_message_id, l.todo,
  coalesce((SELECT c.seen_private FROM conversations c WHERE c.id = r.conversation_id AND c.account_id = r.account_id), begins_private(r)) AS seen_private,
  (SELECT coalesce(sum(credits_micros), 0) FROM run_usage u WHERE u.run_id = r.id) AS spent, ${USAGE_OF_RUN} AS usage,
  CASE WHEN $2::int < 0 THEN (SELECT jsonb_agg(h ORDER BY h.position DESC) FROM (
    SELECT m.role, left(m.text, ${HISTORY_CHARACTERS_MAX}) AS text, m.run_id AS "runId", m.position FROM messages m
    WHERE m.conversation_id = coalesce((SELECT o.conversation_id FROM runs o WHERE o.id = r.history_of AND o.account_id = r.account_id), r.conversation_id) AND m.run_id <> r.id
      AND (r.history_of IS NULL OR m.position < (SELECT b.position FROM messages b WHERE b.run_id = r.history_of AND b.role = 'user')) AND (SELECT e.status FROM runs e WHERE e.id = m.run_id) = ANY(CASE WHEN r.kind IN ('agent_creation', 'agent_edit') THEN '{completed,failed}'::text[] ELSE '{completed}' END) ORDER BY m.position DESC LIMIT ${HISTORY_MESSAGES_MAX + 1}) h) END AS history,
  CASE WHEN $2::int < 0 AND r.history_of IS NULL
    THEN (SELECT jsonb_build_object('conversationId', o.conversation_id, 'before', NULL) FROM runs o WHERE o.conversation_id = r.conversation_id AND o.account_id = r.account_id AND o.id <> r.id LIMIT 1)
    WHEN $2::int < 0 THEN (SELECT jsonb_build_object('conversationId', b.conversation_id, 'before', b.position) FROM runs o JOIN messages b ON b.run_id = o.id AND b.role = 'user' WHERE o.id = r.history_of AND o.account_id = r.account_id)
  END AS earlier_in,
  (SELECT jsonb_agg(jsonb_build_object('name', s.name, 'description', s.description)) FROM skills s WHERE s.account_id = r.account_id AND s.enabled) AS skills,
  (SELECT jsonb_agg(jsonb_build_object('name', s.name, 'sealed', s.sealed) ORDER BY s.name) FROM (${sealedOf("r.account_id")}) s) AS secrets,
  (SELECT jsonb_agg(jsonb_build_object('id', f.id, 'title', f.title, 'type', f.content_type, 'url', 'artifact:' || f.id, 'name', f.name, 'size_bytes', f.size_bytes) ORDER BY f.id)
   FROM (SELECT * FROM artifacts f WHERE f.run_id = r.id ORDER BY f.id LIMIT ${ARTIFACTS_MAX}) f) AS artifacts,
  (SELECT jsonb_build_object('name', w.name, 'fileCount', (SELECT count(*) FROM workspace_files f WHERE f.workspace_id = w.id)) FROM workspaces w WHERE w.id = r.workspace_id AND w.account_id = r.account_id) AS workspace,
  (SELECT jsonb_build_object(${KEPT_AS_JSON},
     'currentVersionId', s.version_id, 'isOwners', a.created_by_run_id IS NULL OR EXISTS (
       SELECT 1 FROM runs c WHERE c.id = a.created_by_run_id AND c.account_id = a.account_id AND c.origin <> 'agent'))
   FROM agents a CROSS JOIN LATERAL (
     SELECT ${KEPT_OF_AGENT}, a.current_version_id AS version_id WHERE r.agent_version IS NULL
     UNION ALL SELECT ${KEPT_OF_VERSION}, v.id FROM agent_versions v WHERE v.agent_id = a.id AND v.number = r.agent_version) s WHERE a.id = r.agent_id) AS agent,
  (SELECT s.output FROM run_spans s WHERE s.run_id = r.id AND s.kind = 'compaction' AND s.attributes ->> 'of' IS DISTINCT FROM 'conversation' ORDER BY s.started_at DESC LIMIT 1) AS compaction,
  (SELECT jsonb_agg(jsonb_build_object('turn', t.turn, 'messageId', t.message_id, 'model', t.model, 'content', t.content, 'finishReason', t.finish_reason, 'agentVersionId', t.agent_version_id) ORDER BY t.turn) FROM run_turns t WHERE t.run_id = r.id AND t.turn >= $2) AS turns,
  (SELECT jsonb_agg(jsonb_build_object('toolCallId', s.tool_call_id, 'name', s.name, 'succeeded', s.succeeded, 'output', s.output)) FROM run_tool_results s WHERE s.run_id = r.id AND $2 < 0) AS results,
  (SELECT jsonb_agg(jsonb_build_object('toolCallId', p.tool_call_id, 'id', p.id, 'toolName', p.tool_name, 'arguments', p.arguments, 'status', p.status,
     'message', p.message, 'digest', p.digest, 'summary', p.summary, 'decisionShown', p.decision_shown,
     'waitedMs', extract(epoch FROM p.decided_at - p.created_at) * 1000)) FROM approvals p WHERE p.run_id = r.id) AS approvals
FROM runs r LEFT JOIN run_logs l ON l.run_id = r.id WHERE r.id = $1`;

function toAgent({ keyOrder, config, ...agent }: NonNullable<Row["agent"]>, id: string) {
  return { ...agent, id, config: inKeyOrder(config, keyOrder) };
}

/** What a process that drives a run keeps of it from step to step: nobody else can add to it. */
export type KnownRun = Pick<
  LoadedRun,
  "turns" | "toolResults" | "history" | "earlierIn" | "conversation"
>;

/**
 * Reads a run with its agent, transcript and cost and all that its next step needs, in one
 * statement.
 * @param known what need not be read again
 * @throws RunFailure when the run is gone
 */
export async function loadRun(runId: string, known: KnownRun | null = null): Promise<LoadedRun> {
  const { rows } = await postgres().query<Row>({
    name: "load-run",
    text: LOAD,
    values: [runId, known ? known.turns.length : -1],
  });
  const row = rows[0];
  if (!row) throw new RunFailure("EXECUTION_FAILED", "The run does not exist any more.");
  if (row.agent_version !== null && !row.agent)
    throw new RunFailure(
      "EXECUTION_FAILED",
      `Version ${row.agent_version} of the agent, which this run is to use, is not kept any more. Replay it on another version.`,
    );
  const approvals = (row.approvals ?? []).map(({ waitedMs: _, ...approval }) => approval);
  const turns = [...(known?.turns ?? []), ...(row.turns ?? [])];
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    status: row.status,
    agent: row.agent && row.agent_id ? toAgent(row.agent, row.agent_id) : null,
    conversationId: row.conversation_id,
    workspaceId: row.workspace_id,
    seenPrivate: row.seen_private,
    input: row.input,
    endUser: row.end_user,
    model: row.model,
    origin: row.origin,
    parentRunId: row.parent_run_id,
    maxCreditsMicros: row.max_credits_micros === null ? null : BigInt(row.max_credits_micros),
    spentMicros: BigInt(row.spent),
    releaseNote: row.release_note,
    // By this machine's clock, as far back as it is by the database's.
    startedAt: row.elapsed_ms === null ? null : new Date(Date.now() - row.elapsed_ms),
    createdAt: row.created_at,
    traceParent: row.trace_parent,
    turns,
    toolResults:
      known?.toolResults ??
      new Map((row.results ?? []).map((result) => [result.toolCallId, result])),
    approvals: new Map(
      approvals.flatMap((approval) =>
        approval.toolCallId === null ? [] : [[approval.toolCallId, approval]],
      ),
    ),
    approved: approvals.filter(({ status }) => status === "approved"),
    waitedMs: (row.approvals ?? []).reduce(
      (sum, approval) => sum + (approval.waitedMs ?? 0),
      row.queued_ms,
    ),
    webhookUrl: row.webhook_url,
    shouldNotify: row.should_notify,
    usage: row.usage ?? [],
    history: known?.history ?? row.history ?? [],
    earlierIn: known ? known.earlierIn : row.earlier_in,
    conversation: known?.conversation ?? null,
    compaction: row.compaction,
    skills: row.skills ?? [],
    secrets: row.secrets ?? [],
    artifacts: row.artifacts ?? [],
    workspace: row.workspace,
    openMessageId: turns.some((turn) => turn.messageId === row.open_message_id)
      ? null
      : row.open_message_id,
    todo: { cardId: row.todo?.card_id ?? null, items: row.todo?.items ?? [] },
  };
}
