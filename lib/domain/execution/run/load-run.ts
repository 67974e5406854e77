import "server-only";
import { KEPT_AS_JSON, KEPT_OF_AGENT, KEPT_OF_VERSION } from "@/lib/domain/agents/kept-columns";
import {
  HISTORY_CHARACTERS_MAX,
  HISTORY_MESSAGES_MAX,
  type HistoryMessage,
} from "@/lib/domain/execution/prompt/earlier-runs";
import type {
  Approvals,
  KnownRun,
  LoadedAgent,
  LoadedRun,
  RunPrograms,
  RunRecord,
  StoredApproval,
  WaitingMessage,
} from "@/lib/domain/execution/run/loaded-run";
import {
  type Compaction,
  frozenTools,
  PromptContext,
} from "@/lib/domain/execution/run/prompt-context";
import { RunCost } from "@/lib/domain/execution/run/run-cost";
import { type SealedSecret, sealedOf } from "@/lib/domain/execution/run/secret-redactor";
import { fromStoredContent } from "@/lib/domain/execution/run/stored-content";
import {
  type StoredToolResult,
  type StoredTurn,
  Transcript,
} from "@/lib/domain/execution/run/transcript";
import { USAGE_OF_RUN, type UsageSum } from "@/lib/domain/runs/run-view";
import type { RunSkill } from "@/lib/domain/skills/skill-view";
import { inKeyOrder, type KeyOrder } from "@/lib/model/agent-config/key-order";
import { BUDGET_ACTIONS, type OnBudget } from "@/lib/model/run/on-budget";
import { RunFailure } from "@/lib/model/run/run-failure";
import { type MessageInput, saidText } from "@/lib/model/run/run-message";
import type { Artifact } from "@/lib/model/run/run-result";
import {
  leadsRuns,
  type RunKind,
  type RunOrigin,
  type RunStatus,
} from "@/lib/model/run/run-status";
import { runReads } from "@/lib/platform/postgres";
import type { TodoState } from "@/lib/runtime/tools/tool";

const ARTIFACTS_MAX = 200;

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
  max_is_raised: boolean;
  on_budget: OnBudget | null;
  held_ms: number | null;
  spent: string;
  release_note: string | null;
  queued_ms: number;
  elapsed_ms: number | null;
  created_at: Date;
  trace_parent: string | null;
  webhook_url: string | null;
  should_notify: boolean;
  zone: string | null;
  frozen: { turn: number; system: string; tools: string } | null;
  usage: UsageSum[] | null;
  history: HistoryMessage[] | null;
  earlier_in: PromptContext["earlierIn"];
  skills: RunSkill[] | null;
  secrets: SealedSecret[] | null;
  artifacts: Artifact[] | null;
  workspace: { name: string; fileCount: number } | null;
  todo: { card_id: string; items: TodoState["items"] } | null;
  compaction: Compaction | null;
  agent: (Omit<LoadedAgent, "id"> & { keyOrder: KeyOrder | null }) | null;
  turns: StoredTurn[] | null;
  results: StoredToolResult[] | null;
  messages: { id: string; turn: number | null; input: MessageInput }[] | null;
  approvals: (StoredApproval & { waitedMs: number | null })[] | null;
  remembered: string[] | null;
}

/**
 * How much of a run is read: all of it; what there can be of one that was not begun; what a process
 * that keeps its transcript and context cannot know.
 */
type Extent = "whole" | "unbegun" | "since" | "since-frozen";

/**
 * The statement of an extent. Each has its own text, and no parameter says what it reads: it is
 * planned once, for planning takes five times as long as the reading. The history asks for the
 * status of each message's run: joined, a database that has no statistics yet begins with all
 * completed runs. Some kinds go on from what was said to a run that failed, too.
 */
function statementOf(extent: Extent): string {
  const isNew = extent === "unbegun";
  const isSince = extent === "since" || extent === "since-frozen";
  const begun = (sql: string) => (isNew ? "NULL::jsonb" : sql);
  const early = (sql: string) => (isSince ? "NULL::jsonb" : sql);
  return `
SELECT r.id, r.account_id, r.kind, r.status, r.agent_id, r.conversation_id, r.workspace_id,
  r.input, r.end_user, r.model, r.agent_version, r.origin, r.parent_run_id, r.max_credits_micros,
  r.max_is_raised, r.on_budget, r.release_note, r.queued_ms, r.created_at, r.trace_parent,
  r.webhook_url, r.should_notify,
  (SELECT s.timezone FROM schedules s
   WHERE s.id = r.schedule_id AND s.account_id = r.account_id) AS zone,
  ${
    isNew || extent === "since-frozen"
      ? "NULL::jsonb"
      : `(SELECT jsonb_build_object('turn', f.turn, 'system', p.system, 'tools', p.tools)
   FROM run_prompts f JOIN prompts p ON p.account_id = r.account_id AND p.hash = f.hash
   WHERE f.run_id = r.id ORDER BY f.turn DESC LIMIT 1)`
  } AS frozen,
  (extract(epoch FROM clock_timestamp() - r.started_at) * 1000)::float8 AS elapsed_ms,
  ${begun("(SELECT l.todo FROM run_logs l WHERE l.run_id = r.id)")} AS todo,
  ${
    isNew
      ? "NULL::float8"
      : `CASE WHEN r.requires_action ->> 'type' = ANY(${listOf(BUDGET_ACTIONS)}) THEN (
    SELECT (extract(epoch FROM clock_timestamp() - min(w.created_at)) * 1000)::float8
    FROM budget_waits w WHERE w.run_id = r.id AND w.status = 'waiting') END`
  } AS held_ms,
  coalesce(
    (SELECT c.seen_private FROM conversations c
     WHERE c.id = r.conversation_id AND c.account_id = r.account_id),
    begins_private(r)) AS seen_private,
  ${
    isNew ? "0" : "(SELECT coalesce(sum(credits_micros), 0) FROM run_usage u WHERE u.run_id = r.id)"
  }::bigint AS spent,
  ${begun(USAGE_OF_RUN)} AS usage,
  ${early(`(SELECT jsonb_agg(h ORDER BY h.position DESC) FROM (
    SELECT m.role, left(m.text, ${HISTORY_CHARACTERS_MAX}) AS text, m.run_id AS "runId", m.position
    FROM messages m
    WHERE m.conversation_id = coalesce(
        (SELECT o.conversation_id FROM runs o
         WHERE o.id = r.history_of AND o.account_id = r.account_id),
        r.conversation_id)
      AND m.run_id <> r.id
      AND (r.history_of IS NULL OR m.position < (
        SELECT b.position FROM messages b WHERE b.run_id = r.history_of AND b.role = 'user'))
      AND (SELECT e.status FROM runs e WHERE e.id = m.run_id) = ANY(
        CASE WHEN r.kind = ANY($2) THEN '{completed,failed}'::text[]
          ELSE '{completed}' END)
    ORDER BY m.position DESC LIMIT ${HISTORY_MESSAGES_MAX + 1}) h)`)} AS history,
  ${
    // Of the runs of a conversation, not all of the account's: an index of theirs is not asked.
    early(`CASE
    WHEN r.history_of IS NULL THEN (
      SELECT jsonb_build_object('conversationId', o.conversation_id, 'before', NULL) FROM runs o
      WHERE o.conversation_id = r.conversation_id AND (o.account_id = r.account_id) IS TRUE
        AND o.id <> r.id
      LIMIT 1)
    ELSE (
      SELECT jsonb_build_object('conversationId', b.conversation_id, 'before', b.position)
      FROM runs o JOIN messages b ON b.run_id = o.id AND b.role = 'user'
      WHERE o.id = r.history_of AND o.account_id = r.account_id)
  END`)
  } AS earlier_in,
  (SELECT jsonb_agg(jsonb_build_object('name', s.name, 'description', s.description))
   FROM skills s WHERE s.account_id = r.account_id AND s.enabled) AS skills,
  (SELECT jsonb_agg(jsonb_build_object('name', s.name, 'sealed', s.sealed) ORDER BY s.name)
   FROM (${sealedOf("r.account_id", "r.end_user")}) s) AS secrets,
  ${begun(`(SELECT jsonb_agg(
     jsonb_build_object('id', f.id, 'title', f.title, 'type', f.content_type,
       'url', 'artifact:' || f.id, 'name', f.name, 'size_bytes', f.size_bytes)
     ORDER BY f.id)
   FROM (SELECT * FROM artifacts f WHERE f.run_id = r.id ORDER BY f.id
     LIMIT ${ARTIFACTS_MAX}) f)`)} AS artifacts,
  (SELECT jsonb_build_object('name', w.name, 'fileCount',
     (SELECT count(*) FROM workspace_files f WHERE f.workspace_id = w.id))
   FROM workspaces w WHERE w.id = r.workspace_id AND w.account_id = r.account_id) AS workspace,
  (SELECT jsonb_build_object(${KEPT_AS_JSON},
     'currentVersionId', s.version_id, 'versionNumber', s.version_number,
     'isOwners', a.created_by_run_id IS NULL OR EXISTS (
       SELECT 1 FROM runs c
       WHERE c.id = a.created_by_run_id AND c.account_id = a.account_id AND c.origin <> 'agent'))
   FROM agents a CROSS JOIN LATERAL (
     SELECT ${KEPT_OF_AGENT}, a.current_version_id AS version_id,
       (SELECT v.number FROM agent_versions v WHERE v.id = a.current_version_id) AS version_number
     WHERE r.agent_version IS NULL
     UNION ALL
     SELECT ${KEPT_OF_VERSION}, v.id, v.number FROM agent_versions v
     WHERE v.agent_id = a.id AND v.number = r.agent_version) s
   WHERE a.id = r.agent_id) AS agent,
  ${begun(`(SELECT s.output FROM run_spans s
   WHERE s.run_id = r.id AND s.kind = 'compaction'
     AND s.attributes ->> 'of' IS DISTINCT FROM 'conversation'
   ORDER BY s.started_at DESC LIMIT 1)`)} AS compaction,
  ${begun(`(SELECT jsonb_agg(
     jsonb_build_object('turn', t.turn, 'messageId', t.message_id, 'model', t.model,
       'content', t.content, 'finishReason', t.finish_reason,
       'agentVersionId', t.agent_version_id, 'told', t.told, 'countedTokens', t.counted_tokens)
     ORDER BY t.turn)
   FROM run_turns t WHERE t.run_id = r.id${isSince ? " AND t.turn >= $2" : ""})`)} AS turns,
  ${begun(
    early(`(SELECT jsonb_agg(jsonb_build_object('toolCallId', s.tool_call_id, 'name', s.name,
     'succeeded', s.succeeded, 'output', s.output))
   FROM run_tool_results s WHERE s.run_id = r.id)`),
  )} AS results,
  (SELECT jsonb_agg(jsonb_build_object('id', m.id, 'turn', m.turn, 'input', m.input)
     ORDER BY m.position)
   FROM run_messages m
   WHERE m.run_id = r.id AND (m.account_id = r.account_id) IS TRUE AND m.due = 'next_step'
     AND m.tool_call_id IS NULL${isSince ? " AND m.turn IS NULL" : ""}) AS messages,
  ${begun(`(SELECT jsonb_agg(jsonb_build_object('toolCallId', p.tool_call_id, 'id', p.id,
     'toolName', p.tool_name, 'arguments', p.arguments, 'status', p.status,
     'message', p.message, 'digest', p.digest, 'summary', p.summary,
     'decisionShown', p.decision_shown,
     'secondsLeft', ceil(extract(epoch FROM p.expires_at - clock_timestamp())),
     'waitedMs', extract(epoch FROM p.decided_at - p.created_at) * 1000))
   FROM approvals p WHERE p.run_id = r.id)`)} AS approvals,
  (SELECT array_agg(m.digest) FROM remembered_approvals m
   WHERE m.agent_id = r.agent_id AND m.account_id = r.account_id) AS remembered
FROM runs r WHERE r.id = $1`;
}

/** As SQL has it; of words of this source alone. */
function listOf(words: readonly string[]): string {
  return `ARRAY[${words.map((word) => `'${word}'`).join(", ")}]::text[]`;
}

export const WHOLE_RUN = statementOf("whole");
export const UNBEGUN_RUN = statementOf("unbegun");
export const RUN_SINCE = statementOf("since");
export const RUN_SINCE_FROZEN = statementOf("since-frozen");

function toAgent({ keyOrder, config, ...agent }: NonNullable<Row["agent"]>, id: string) {
  return { ...agent, id, config: inKeyOrder(config, keyOrder) };
}

/** The kinds whose runs hear of those that failed. */
function hearers(programs: RunPrograms): string[] {
  return Object.entries(programs).flatMap(([kind, { hearsFailed }]) => (hearsFailed ? [kind] : []));
}

/**
 * Reads a run with its agent, transcript and cost and all that its next step needs, in one
 * statement.
 * @param known what need not be read again
 * @param options.isFirst it is about to take its first turn: mostly nothing of it is stored yet
 * @throws RunFailure when the run is gone
 */
export async function loadRun(
  programs: RunPrograms,
  runId: string,
  known: KnownRun | null = null,
  { isFirst = false } = {},
): Promise<LoadedRun> {
  const unbegun = isFirst && !known ? await readUnbegun(programs, runId) : undefined;
  // One that is pending has begun no turn: what may be stored is what was said to it, and what a
  // summary of its conversation cost, which `beginTurn` finds.
  const isUnbegun = unbegun?.status === "pending";
  const row = isUnbegun
    ? unbegun
    : await (known ? readSince(runId, known) : readWhole(programs, runId));
  if (!row) throw new RunFailure("EXECUTION_FAILED", "The run does not exist any more.");
  if (row.agent_version !== null && !row.agent)
    throw new RunFailure(
      "EXECUTION_FAILED",
      `Version ${row.agent_version} of the agent, which this run is to use, is not kept any ` +
        "more. Start it on another version.",
    );
  const record = toRecord(row);
  return {
    ...record,
    program: programs[row.kind],
    agent: row.agent && row.agent_id ? toAgent(row.agent, row.agent_id) : null,
    transcript: transcriptOf(row, known),
    waiting: waitingOf(row),
    approvals: toApprovals(row.approvals ?? [], row.remembered ?? []),
    context: new PromptContext({
      frozen: frozenOf(row, known),
      earlierIn: known ? known.context.earlierIn : row.earlier_in,
      history: known?.context.history ?? row.history ?? [],
      conversation: known?.context.conversation ?? null,
      compaction: row.compaction,
      seenPrivate: row.seen_private,
    }),
    cost: new RunCost(record, BigInt(row.spent), row.usage ?? []),
    surroundings: {
      accountId: row.account_id,
      endUser: row.end_user,
      skills: row.skills ?? [],
      secrets: row.secrets ?? [],
      workspace: row.workspace,
      artifacts: row.artifacts ?? [],
      todo: { cardId: row.todo?.card_id ?? null, items: row.todo?.items ?? [] },
    },
  };
}

async function readUnbegun(programs: RunPrograms, runId: string): Promise<Row | undefined> {
  const { rows } = await runReads().query<Row>({
    name: "load-run-unbegun",
    text: UNBEGUN_RUN,
    values: [runId, hearers(programs)],
  });
  return rows[0];
}

async function readWhole(programs: RunPrograms, runId: string): Promise<Row | undefined> {
  const { rows } = await runReads().query<Row>({
    name: "load-run-whole",
    text: WHOLE_RUN,
    values: [runId, hearers(programs)],
  });
  return rows[0];
}

async function readSince(runId: string, known: KnownRun): Promise<Row | undefined> {
  const values = [runId, known.transcript.turns.length];
  const { rows } = known.context.frozen
    ? await runReads().query<Row>({ name: "load-run-frozen", text: RUN_SINCE_FROZEN, values })
    : await runReads().query<Row>({ name: "load-run-since", text: RUN_SINCE, values });
  return rows[0];
}

/** What is frozen of its prompt: a process keeps it from step to step. */
function frozenOf({ frozen }: Row, known: KnownRun | null) {
  if (known?.context.frozen)
    return { prompt: known.context.frozen, isStored: known.context.toFreeze === null };
  if (!frozen) return null;
  return { prompt: { ...frozen, ...frozenTools(frozen.tools) }, isStored: true };
}

function toRecord(row: Row): RunRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    status: row.status,
    conversationId: row.conversation_id,
    workspaceId: row.workspace_id,
    input: row.input,
    endUser: row.end_user,
    model: row.model,
    origin: row.origin,
    parentRunId: row.parent_run_id,
    leads: leadsRuns(row.kind) || (row.agent?.config.tools?.agents ?? []).length > 0,
    maxCreditsMicros: row.max_credits_micros === null ? null : BigInt(row.max_credits_micros),
    isMaxRaised: row.max_is_raised,
    onBudget: row.on_budget,
    releaseNote: row.release_note,
    // By this machine's clock, as far back as it is by the database's.
    startedAt: row.elapsed_ms === null ? null : new Date(Date.now() - row.elapsed_ms),
    createdAt: row.created_at,
    traceParent: row.trace_parent,
    zone: row.zone ?? "UTC",
    waitedMs: (row.approvals ?? []).reduce(
      (sum, approval) => sum + (approval.waitedMs ?? 0),
      // A super-agent's run whose child waits may be at work meanwhile.
      row.queued_ms + (row.held_ms ?? 0),
    ),
    webhookUrl: row.webhook_url,
    shouldNotify: row.should_notify,
  };
}

/** What is known of it goes on with the turns that were stored since. */
function transcriptOf(row: Row, known: KnownRun | null): Transcript {
  const heard = (row.messages ?? []).flatMap(({ id, turn, input }) =>
    turn === null ? [] : [{ id, turn, text: saidText(input) }],
  );
  const turns = (row.turns ?? []).map((turn) => ({
    ...turn,
    content: fromStoredContent(turn.content),
  }));
  if (!known) return new Transcript(turns, row.results ?? [], heard);
  for (const turn of turns) known.transcript.append(turn);
  return known.transcript;
}

/** What was said to it and waits for its next turn. */
function waitingOf(row: Row): WaitingMessage[] {
  return (row.messages ?? []).flatMap(({ id, turn, input }) =>
    turn === null ? [{ id, text: saidText(input) }] : [],
  );
}

/**
 * What people were asked, as rows have it.
 * @param remembered digests of the definitions that the agent asks no more about
 */
export function toApprovals(
  rows: readonly (StoredApproval & { waitedMs?: unknown })[],
  remembered: readonly string[] = [],
): Approvals {
  const approvals = rows.map(({ waitedMs: _, ...approval }) => approval);
  const deciding = new Map(approvals.map((approval) => [approval.toolCallId, approval]));
  return {
    of: (toolCallId) => deciding.get(toolCallId),
    remembersAny: remembered.length > 0,
    isRemembered: (digest) => digest !== null && remembered.includes(digest),
    approved: approvals.filter(({ status }) => status === "approved"),
    isAnyRejected: approvals.some(
      ({ toolCallId, status }) => toolCallId !== null && status === "rejected",
    ),
  };
}
