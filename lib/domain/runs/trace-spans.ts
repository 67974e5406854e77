import "server-only";
import type { RunView } from "@/lib/domain/runs/run-view";
import { ATTEMPTS, type AttemptRow, toWebhookSpan } from "@/lib/domain/webhooks/deliveries";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { toCredits } from "@/lib/model/run/run-result";
import { isTerminal } from "@/lib/model/run/run-status";
import { NOTHING_MORE, type TraceSpan } from "@/lib/model/run/trace-span";
import { postgres } from "@/lib/platform/postgres";

/** How a JSON text is shown, or that it is not. */
export type Show = (
  text: string | null,
  length: number | null,
) => Promise<{ value: JsonValue; truncated: boolean }>;

/** What of a run its spans are made with. */
type TracedRunView = Pick<
  RunView,
  "status" | "input" | "model" | "createdAt" | "startedAt" | "completedAt"
>;

/**
 * The spans of a run in the order of their start: the one maker of those that the API shows and
 * those that a collector gets.
 */
export async function toTraceSpans(
  run: TracedRunView,
  rows: TraceRows,
  show: Show,
): Promise<TraceSpan[]> {
  const tools = await Promise.all(rows.calls.map((call) => toToolSpan(run, call, show)));
  const models = await Promise.all(
    rows.turns.map((turn) => toModelSpan(run, turn, rows.calls, rows.messages, show)),
  );
  const others = await Promise.all(rows.spans.map((span) => toSpan(span, show)));
  const asked = rows.approvals.map((approval) => toApprovalSpan(run, approval));
  const waited = (rows.waits ?? []).map((wait) => toWaitSpan(run, wait));
  const stored = [...models, ...others, ...tools, ...asked, ...waited];
  const atWork = modelAtWork(run, rows.turns, stored);
  const within = atWork === null ? stored : [...stored, atWork];
  return [
    toQueueSpan(run),
    ...toTurnSpans(run, within),
    ...within,
    ...rows.attempts.map(toWebhookSpan),
  ].sort(
    (a, b) =>
      a.startedAt.getTime() - b.startedAt.getTime() ||
      turnOf(a) - turnOf(b) ||
      ORDER[a.kind] - ORDER[b.kind],
  );
}

/**
 * Of what began in the same millisecond, the earlier turn comes first, and in it that within which
 * the other is.
 */
const turnOf = ({ kind, spanId, parentId }: TraceSpan) =>
  kind === "queue"
    ? -1
    : kind === "webhook"
      ? Number.MAX_SAFE_INTEGER
      : Number(/^turn-(\d+)$/.exec(parentId ?? spanId)?.[1] ?? 0);
const ORDER: Record<TraceSpan["kind"], number> = {
  queue: 0,
  turn: 1,
  compaction: 2,
  retry: 3,
  model: 4,
  tool: 5,
  approval: 6,
  webhook: 7,
};

/** What had no end of its own has the run's. */
function endOf(
  run: TracedRunView,
  endedAt: Date | null,
  hasFailed: boolean,
): Pick<TraceSpan, "endedAt" | "status"> {
  if (endedAt) return { endedAt, status: hasFailed ? "failed" : "succeeded" };
  return isTerminal(run.status)
    ? { endedAt: run.completedAt, status: "cancelled" }
    : { endedAt: null, status: "running" };
}

function toQueueSpan(run: TracedRunView): TraceSpan {
  const end = endOf(run, run.startedAt, false);
  return {
    ...NOTHING_MORE,
    spanId: "queue",
    parentId: null,
    kind: "queue",
    name: "Waiting for a place",
    startedAt: run.createdAt,
    ...end,
  };
}

/** A turn is its model calls and the tool calls that they asked for. */
function toTurnSpans(run: TracedRunView, within: readonly TraceSpan[]): TraceSpan[] {
  const turns = [...new Set(within.map(({ parentId }) => parentId))];
  return turns.flatMap((spanId) => {
    const turn = /^turn-(\d+)$/.exec(spanId ?? "")?.[1];
    if (turn === undefined || spanId === null) return [];
    const parts = within.filter(({ parentId }) => parentId === spanId);
    const ends = parts.flatMap(({ endedAt }) => endedAt?.getTime() ?? []);
    const hasFailed = parts.some(({ kind, status }) => kind === "model" && status === "failed");
    return {
      ...NOTHING_MORE,
      ...endOf(run, ends.length < parts.length ? null : new Date(Math.max(...ends)), hasFailed),
      ...{ spanId, parentId: null, kind: "turn", name: `Turn ${Number(turn) + 1}` },
      startedAt: new Date(Math.min(...parts.map(({ startedAt }) => startedAt.getTime()))),
      attributes: { turn: Number(turn) },
    };
  });
}

async function toModelSpan(
  run: TracedRunView,
  row: TurnRow,
  calls: readonly CallRow[],
  messages: readonly MessageRow[],
  show: Show,
): Promise<TraceSpan> {
  const heard = await Promise.all(
    messages
      .filter((message) => message.turn === row.turn)
      .map(async (message) => ({
        role: "user",
        message_id: message.id,
        content: (await show(message.input, message.input_length)).value,
      })),
  );
  const { value: output, truncated } = await show(row.content, row.content_length);
  const told = await show(row.told, row.told_length);
  const before = calls
    .filter((call) => call.turn === row.turn - 1)
    .map(({ tool_call_id: id }) => ({ role: "tool", span_id: `tool-${id}` }));
  const given =
    row.turn === 0 ? await show(JSON.stringify(run.input), JSON.stringify(run.input).length) : null;
  const {
    capability,
    finish_reason,
    input_tokens,
    cached_input_tokens,
    output_tokens,
    reasoning_tokens,
    first_token_ms,
    request_id,
  } = row;
  return {
    spanId: `model-${row.turn}`,
    parentId: `turn-${row.turn}`,
    kind: "model",
    name: row.model,
    status: "succeeded",
    startedAt: row.started_at ?? row.created_at,
    endedAt: row.created_at,
    credits: toCredits(Number(row.micros ?? 0)),
    attributes: {
      ...{
        model: row.model,
        capability,
        finish_reason,
        input_tokens,
        cached_input_tokens,
        output_tokens,
        reasoning_tokens,
      },
      ...{ first_token_ms, request_id },
    },
    // The system prompt and what earlier turns show already are not told again.
    input: [
      ...(given ? [{ role: "user", content: given.value }] : before),
      ...heard,
      ...(told.value === null ? [] : [{ role: "user", content: told.value }]),
    ],
    output,
    error: null,
    truncated: truncated || told.truncated || given?.truncated === true,
  };
}

/**
 * The call of a model that goes on: a run at work whose tools have all answered waits for its
 * model. Nothing is stored of it before its end, so that it began when the part before it ended,
 * give or take the engine's way to it.
 */
function modelAtWork(
  run: TracedRunView,
  turns: readonly TurnRow[],
  before: readonly TraceSpan[],
): TraceSpan | null {
  if (
    run.status !== "running" ||
    run.startedAt === null ||
    before.some(({ endedAt }) => endedAt === null)
  )
    return null;
  const turn = (turns.at(-1)?.turn ?? -1) + 1;
  const startedAt = new Date(
    Math.max(run.startedAt.getTime(), ...before.flatMap(({ endedAt }) => endedAt?.getTime() ?? [])),
  );
  const attributes = { model: run.model };
  return {
    ...NOTHING_MORE,
    ...{
      spanId: `model-${turn}`,
      parentId: `turn-${turn}`,
      kind: "model",
      name: run.model,
      status: "running",
      startedAt,
      endedAt: null,
      attributes,
    },
  };
}

async function toToolSpan(run: TracedRunView, row: CallRow, show: Show): Promise<TraceSpan> {
  const [input, output] = await Promise.all([
    show(row.arguments, row.arguments_length),
    show(row.output, row.output_length),
  ]);
  const isFailed = row.succeeded === false;
  return {
    ...NOTHING_MORE,
    ...endOf(run, row.ended_at, isFailed),
    ...{
      spanId: `tool-${row.tool_call_id}`,
      parentId: `turn-${row.turn}`,
      kind: "tool",
      name: row.name,
    },
    startedAt: row.started_at ?? row.ended_at ?? row.asked_at,
    attributes: {
      tool_call_id: row.tool_call_id,
      ...(row.child_run_id !== null && { child_run_id: row.child_run_id }),
    },
    input: input.value,
    output: output.value,
    error: isFailed ? { code: "TOOL_FAILED", message: messageOf(output.value) } : null,
    truncated: input.truncated || output.truncated,
  };
}

function messageOf(output: JsonValue): string {
  const error =
    typeof output === "object" && output !== null && !Array.isArray(output) ? output.error : null;
  return typeof error === "string" ? error : "The call failed; see its output.";
}

function toApprovalSpan(run: TracedRunView, row: ApprovalRow): TraceSpan {
  return {
    ...NOTHING_MORE,
    ...endOf(run, row.decided_at, row.status !== "approved"),
    ...{
      spanId: `approval-${row.id}`,
      parentId: row.tool_call_id === null ? null : `tool-${row.tool_call_id}`,
    },
    ...{ kind: "approval", name: row.tool_name, startedAt: row.created_at },
    attributes: { approval_id: row.id, decision: row.status, summary: row.summary },
  };
}

/** A wait for credits is a person's to end, as an approval is. */
function toWaitSpan(run: TracedRunView, row: WaitRow): TraceSpan {
  return {
    ...NOTHING_MORE,
    ...endOf(run, row.decided_at, row.status !== "raised"),
    ...{
      spanId: `wait-${row.id}`,
      parentId: row.tool_call_id === null ? `turn-${row.turn}` : `tool-${row.tool_call_id}`,
    },
    ...{ kind: "approval", name: row.kind, startedAt: row.created_at },
    attributes: { decision: row.status },
  };
}

async function toSpan(row: SpanRow, show: Show): Promise<TraceSpan> {
  const { value: output, truncated } = await show(row.output, row.output_length);
  const { charge: _, shadow: _name, line: _line, within, ...own } = row.attributes;
  const { input_tokens, cached_input_tokens, output_tokens } = row;
  const attributes =
    row.micros === null ? own : { ...own, input_tokens, cached_input_tokens, output_tokens };
  return {
    ...NOTHING_MORE,
    ...{
      spanId: row.id,
      // What a shadow run did stands within the call that it is made for.
      parentId: typeof within === "string" ? `tool-${within}` : `turn-${row.turn}`,
      kind: row.kind,
      name: row.name,
      status: row.status,
    },
    ...{
      startedAt: row.started_at,
      endedAt: row.ended_at,
      credits: toCredits(Number(row.micros ?? 0)),
    },
    ...{ attributes, output, error: row.error, truncated },
  };
}

/** What is read of one: a secret that its end cuts in half stands behind what is shown. */
const READ_MAX_CHARACTERS = 80_000;
/** What is read of all inputs, and of all outputs, of a run; those behind it are left out. */
const READ_ALL_MAX_CHARACTERS = 8_000_000;
const ROWS_MAX = 2_000;

/** What a run has left that its trace is made of. */
interface TraceRows {
  turns: TurnRow[];
  calls: CallRow[];
  /** What was said to it and shown with a turn. */
  messages: MessageRow[];
  approvals: ApprovalRow[];
  /** For credits. */
  waits?: WaitRow[];
  spans: SpanRow[];
  attempts: AttemptRow[];
}

/** @param content whether what went in and came out is read too */
export async function readTraceRows(
  run: { id: string; accountId: string },
  content: boolean,
): Promise<TraceRows> {
  const textOf = content ? readText : leaveText;
  const read = async <T extends object>(text: string) =>
    (await postgres().query<T>(text, [run.id, run.accountId])).rows;
  const [ofTurns, ofCalls, messages, approvals, waits, ofSpans, attempts] = await Promise.all([
    read<TurnRow>(turns(textOf)),
    read<CallRow>(calls(textOf)),
    read<MessageRow>(messagesOf(textOf)),
    read<ApprovalRow>(APPROVALS),
    read<WaitRow>(WAITS),
    read<SpanRow>(spans(textOf)),
    read<AttemptRow>(ATTEMPTS),
  ]);
  return { turns: ofTurns, calls: ofCalls, messages, approvals, waits, spans: ofSpans, attempts };
}

const OF_RUN = "r.id = $1 AND r.account_id = $2";
type TextOf = (column: string, as: string, order: string) => string;
/** A JSON column as text, as much of it as is read. @param order the rows' */
const readText: TextOf = (column, as, order) => `length(${column}::text) AS ${as}_length,
  CASE WHEN sum(least(length(${column}::text),
      ${READ_MAX_CHARACTERS})) OVER (ORDER BY ${order}) <= ${READ_ALL_MAX_CHARACTERS} THEN
  left(${column}::text, ${READ_MAX_CHARACTERS}) END AS ${as}`;

/** Where nobody is told. */
const leaveText: TextOf = (_, as) => `NULL::int AS ${as}_length, NULL::text AS ${as}`;

interface TurnRow {
  turn: number;
  model: string;
  finish_reason: string;
  started_at: Date | null;
  created_at: Date;
  first_token_ms: number | null;
  reasoning_tokens: number | null;
  request_id: string | null;
  capability: string | null;
  input_tokens: number | null;
  cached_input_tokens: number | null;
  output_tokens: number | null;
  micros: string | null;
  content: string | null;
  content_length: number | null;
  /** What the model was told before it, as a list. */
  told: string | null;
  told_length: number | null;
}
/** As it was said: the order of a call's keys beside it is the store's own. */
const SAID = `(SELECT coalesce(jsonb_agg(p.part - 'keyOrder' ORDER BY p.place), '[]')
  FROM jsonb_array_elements(t.content) WITH ORDINALITY AS p(part, place))`;
const turns = (
  textOf: TextOf,
) => `SELECT t.turn, t.model, t.finish_reason, t.started_at, t.created_at, t.first_token_ms,
  t.reasoning_tokens, t.request_id,
  u.capability, u.input_tokens, u.cached_input_tokens, u.output_tokens, u.credits_micros AS micros,
  ${textOf(SAID, "content", "t.turn")}, ${textOf("(t.told -> 'lines')", "told", "t.turn")}
FROM runs r JOIN run_turns t ON t.run_id = r.id LEFT JOIN run_usage u ON u.run_id = t.run_id
  AND u.step_key = 'turn-' || t.turn
WHERE ${OF_RUN} ORDER BY t.turn LIMIT ${ROWS_MAX}`;

interface CallRow {
  turn: number;
  tool_call_id: string;
  name: string;
  asked_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  succeeded: boolean | null;
  arguments: string | null;
  arguments_length: number | null;
  output: string | null;
  output_length: number | null;
  child_run_id: string | null;
}
const calls = (
  textOf: TextOf,
) => `SELECT t.turn, c.part ->> 'toolCallId' AS tool_call_id, c.part ->> 'toolName' AS name,
  t.created_at AS asked_at,
  (SELECT k.id FROM runs k WHERE k.parent_run_id = r.id AND k.account_id = r.account_id
     AND k.parent_call_id = c.part ->> 'toolCallId') AS child_run_id,
  s.started_at, s.created_at AS ended_at, s.succeeded,
  ${textOf("(c.part -> 'input')", "arguments", "t.turn, c.place")},
  ${textOf("s.output", "output", "t.turn, c.place")}
FROM runs r JOIN run_turns t ON t.run_id = r.id
CROSS JOIN LATERAL jsonb_array_elements(t.content) WITH ORDINALITY AS c(part, place)
LEFT JOIN run_tool_results s ON s.run_id = r.id AND s.tool_call_id = c.part ->> 'toolCallId'
WHERE ${OF_RUN} AND c.part ->> 'type' = 'tool-call' ORDER BY t.turn, c.place LIMIT ${ROWS_MAX}`;

interface MessageRow {
  id: string;
  turn: number;
  input: string | null;
  input_length: number | null;
}
const messagesOf = (
  textOf: TextOf,
) => `SELECT m.id, m.turn, ${textOf("m.input", "input", "m.position")}
FROM runs r JOIN run_messages m ON m.run_id = r.id AND m.account_id = r.account_id
WHERE ${OF_RUN} AND m.turn IS NOT NULL AND m.tool_call_id IS NULL ORDER BY m.position
LIMIT ${ROWS_MAX}`;

interface ApprovalRow {
  id: string;
  tool_call_id: string | null;
  tool_name: string;
  status: "pending" | "approved" | "rejected" | "expired";
  summary: string;
  created_at: Date;
  decided_at: Date | null;
}
const APPROVALS = `SELECT p.id, coalesce(p.tool_call_id,
  p.shown ->> 'tool_call_id') AS tool_call_id, p.tool_name, p.status, p.summary, p.created_at,
  p.decided_at
FROM runs r JOIN approvals p ON p.run_id = r.id AND p.account_id = r.account_id WHERE ${OF_RUN}
ORDER BY p.id LIMIT ${ROWS_MAX}`;

interface WaitRow {
  id: string;
  turn: number;
  tool_call_id: string | null;
  kind: "budget" | "credits";
  status: "waiting" | "raised" | "expired";
  created_at: Date;
  decided_at: Date | null;
}
const WAITS = `SELECT w.id, w.turn, w.tool_call_id, w.kind, w.status, w.created_at, w.decided_at
FROM runs r JOIN budget_waits w ON w.run_id = r.id AND w.account_id = r.account_id
WHERE ${OF_RUN} AND w.of_wait IS NULL ORDER BY w.created_at, w.id LIMIT ${ROWS_MAX}`;

interface SpanRow {
  id: string;
  turn: number;
  kind: "retry" | "model" | "compaction" | "tool";
  name: string;
  status: TraceSpan["status"];
  started_at: Date;
  ended_at: Date;
  attributes: Record<string, JsonValue>;
  error: TraceSpan["error"];
  input_tokens: number | null;
  cached_input_tokens: number | null;
  output_tokens: number | null;
  micros: string | null;
  output: string | null;
  output_length: number | null;
}
const spans = (
  textOf: TextOf,
) => `SELECT s.id, s.turn, s.kind, s.name, s.status, s.started_at, s.ended_at, s.attributes,
  s.error, u.input_tokens, u.cached_input_tokens, u.output_tokens, u.credits_micros AS micros,
  ${textOf("s.output", "output", "s.started_at, s.id")}
FROM runs r JOIN run_spans s ON s.run_id = r.id LEFT JOIN run_usage u ON u.run_id = s.run_id
  AND u.step_key = s.attributes ->> 'charge'
WHERE ${OF_RUN} ORDER BY s.started_at, s.id LIMIT ${ROWS_MAX}`;
