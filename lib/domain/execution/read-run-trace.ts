import "server-only";
import { type SealedSecret, sealedOf, secretRedactor } from "@/lib/domain/execution/secret-redactor";
import type { Principal } from "@/lib/domain/principal";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { toCredits } from "@/lib/model/run/run-result";
import { isTerminal } from "@/lib/model/run/run-status";
import type { Redactor } from "@/lib/platform/crypto/redact";
import { inSlices } from "@/lib/platform/in-slices";
import { postgres } from "@/lib/platform/postgres";
import { redactJson } from "@/lib/runtime/tools/resolve-tools";

export const SPAN_KINDS = ["queue", "turn", "model", "tool", "approval", "compaction", "webhook", "retry"] as const;
export const SPAN_STATUSES = ["running", "succeeded", "failed", "cancelled"] as const;

/** One part of what a run did. Its credits are its own: those of all spans add up to the run's. */
export interface TraceSpan {
  spanId: string;
  parentId: string | null;
  kind: (typeof SPAN_KINDS)[number];
  name: string;
  status: (typeof SPAN_STATUSES)[number];
  startedAt: Date;
  endedAt: Date | null;
  credits: number;
  attributes: Record<string, JsonValue>;
  input: JsonValue;
  output: JsonValue;
  error: { code: string; message: string } | null;
  /** Whether the input or the output is the beginning of one. */
  truncated: boolean;
}

/** What of an input or an output is shown. */
const SHOWN_MAX_CHARACTERS = 65_536;
/** What is read of one: a secret that its end cuts in half stands behind what is shown. */
const READ_MAX_CHARACTERS = 80_000;
/** What is read of all inputs, and of all outputs, of a run; those behind it are left out. */
const READ_ALL_MAX_CHARACTERS = 8_000_000;
const ROWS_MAX = 2_000;

/**
 * What an account's run did, span by span in the order of their start: from its wait for a place to the deliveries of its webhook. No secret of the account is
 * in it; long inputs and outputs are cut.
 * @throws ServiceError RUN_NOT_FOUND
 */
export async function readRunTrace(principal: Principal, runId: string): Promise<TraceSpan[]> {
  const run = await getRun(principal, runId);
  const values = [runId, run.accountId];
  const read = async <T extends object>(text: string) => (await postgres().query<T>(text, values)).rows;
  const [secrets, turns, calls, approvals, spans, attempts] = await Promise.all([
    postgres().query<SealedSecret>(`${sealedOf("$1")} ORDER BY name`, [run.accountId]),
    read<TurnRow>(TURNS),
    read<CallRow>(CALLS),
    read<ApprovalRow>(APPROVALS),
    read<SpanRow>(SPANS),
    read<AttemptRow>(ATTEMPTS),
  ]);
  const { results } = await secretRedactor(run.accountId, secrets.rows);
  const show = (text: string | null, length: number | null) => shown(text, length, results);
  const tools = await Promise.all(calls.map((call) => toToolSpan(run, call, show)));
  const models = await Promise.all(turns.map((turn) => toModelSpan(run, turn, calls, show)));
  const others = await Promise.all(spans.map((span) => toSpan(span, show)));
  const asked = approvals.map((approval) => toApprovalSpan(run, approval));
  const within = [...models, ...others, ...tools, ...asked];
  return [toQueueSpan(run), ...toTurnSpans(run, within), ...within, ...attempts.map(toWebhookSpan)].sort(
    (a, b) => a.startedAt.getTime() - b.startedAt.getTime() || ORDER[a.kind] - ORDER[b.kind],
  );
}

/** Of what began in the same millisecond, that comes first within which the other is. */
const ORDER: Record<TraceSpan["kind"], number> = { queue: 0, turn: 1, compaction: 2, retry: 3, model: 4, tool: 5, approval: 6, webhook: 7 };

const OF_RUN = "r.id = $1 AND r.account_id = $2";
/** A JSON column as text, as much of it as is read. @param order the rows' */
const textOf = (column: string, as: string, order: string) => `length(${column}::text) AS ${as}_length,
  CASE WHEN sum(least(length(${column}::text), ${READ_MAX_CHARACTERS})) OVER (ORDER BY ${order}) <= ${READ_ALL_MAX_CHARACTERS} THEN left(${column}::text, ${READ_MAX_CHARACTERS}) END AS ${as}`;

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
  content_length: number;
}
const TURNS = `SELECT t.turn, t.model, t.finish_reason, t.started_at, t.created_at, t.first_token_ms, t.reasoning_tokens, t.request_id,
  u.capability, u.input_tokens, u.cached_input_tokens, u.output_tokens, u.credits_micros AS micros, ${textOf("t.content", "content", "t.turn")}
FROM runs r JOIN run_turns t ON t.run_id = r.id LEFT JOIN run_usage u ON u.run_id = t.run_id AND u.step_key = 'turn-' || t.turn
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
}
const CALLS = `SELECT t.turn, c.part ->> 'toolCallId' AS tool_call_id, c.part ->> 'toolName' AS name, t.created_at AS asked_at,
  s.started_at, s.created_at AS ended_at, s.succeeded, ${textOf("(c.part -> 'input')", "arguments", "t.turn, c.place")}, ${textOf("s.output", "output", "t.turn, c.place")}
FROM runs r JOIN run_turns t ON t.run_id = r.id CROSS JOIN LATERAL jsonb_array_elements(t.content) WITH ORDINALITY AS c(part, place)
LEFT JOIN run_tool_results s ON s.run_id = r.id AND s.tool_call_id = c.part ->> 'toolCallId'
WHERE ${OF_RUN} AND c.part ->> 'type' = 'tool-call' ORDER BY t.turn, c.place LIMIT ${ROWS_MAX}`;

interface ApprovalRow {
  id: string;
  tool_call_id: string | null;
  tool_name: string;
  status: "pending" | "approved" | "rejected" | "expired";
  summary: string;
  created_at: Date;
  decided_at: Date | null;
}
const APPROVALS = `SELECT p.id, coalesce(p.tool_call_id, p.shown ->> 'tool_call_id') AS tool_call_id, p.tool_name, p.status, p.summary, p.created_at, p.decided_at
FROM runs r JOIN approvals p ON p.run_id = r.id AND p.account_id = r.account_id WHERE ${OF_RUN} ORDER BY p.id LIMIT ${ROWS_MAX}`;

interface SpanRow {
  id: string;
  turn: number;
  kind: "retry" | "model" | "compaction";
  name: string;
  status: TraceSpan["status"];
  started_at: Date;
  ended_at: Date;
  attributes: Record<string, JsonValue>;
  error: TraceSpan["error"];
  micros: string | null;
  output: string | null;
  output_length: number | null;
}
const SPANS = `SELECT s.id, s.turn, s.kind, s.name, s.status, s.started_at, s.ended_at, s.attributes, s.error, u.credits_micros AS micros,
  ${textOf("s.output", "output", "s.started_at, s.id")}
FROM runs r JOIN run_spans s ON s.run_id = r.id LEFT JOIN run_usage u ON u.run_id = s.run_id AND u.step_key = s.attributes ->> 'charge'
WHERE ${OF_RUN} ORDER BY s.started_at, s.id LIMIT ${ROWS_MAX}`;

interface AttemptRow {
  delivery_id: string;
  delivery_status: "pending" | "delivered" | "failed";
  url: string;
  created_at: Date;
  attempt: number | null;
  at: Date | null;
  duration_ms: number | null;
  status_code: number | null;
  error: string | null;
}
const ATTEMPTS = `SELECT d.id AS delivery_id, d.status AS delivery_status, d.url, d.created_at, a.attempt, a.at, a.duration_ms, a.status_code, a.error
FROM runs r JOIN webhook_deliveries d ON d.run_id = r.id AND d.account_id = r.account_id LEFT JOIN webhook_attempts a ON a.delivery_id = d.id
WHERE ${OF_RUN} ORDER BY a.attempt LIMIT ${ROWS_MAX}`;

type Show = (text: string | null, length: number | null) => Promise<{ value: JsonValue; truncated: boolean }>;

/** A JSON text as it is shown: its value, or the beginning of the text where it is too long. Redacted before it is cut: half a secret is not found any more. */
async function shown(text: string | null, length: number | null, redactor: Redactor): ReturnType<Show> {
  if (length === null) return { value: null, truncated: false };
  if (text === null) return { value: null, truncated: true };
  if (length <= SHOWN_MAX_CHARACTERS) {
    const value = JSON.parse(text) as JsonValue; // a jsonb column's text
    return { value: await inSlices(redactJson(value, redactor.redactInSteps)), truncated: false };
  }
  return { value: (await inSlices(redactor.redactInSteps(text))).slice(0, SHOWN_MAX_CHARACTERS).toWellFormed(), truncated: true };
}

const NOTHING = { credits: 0, attributes: {}, input: null, output: null, error: null, truncated: false };

/** What had no end of its own has the run's. */
function endOf(run: RunView, endedAt: Date | null, hasFailed: boolean): Pick<TraceSpan, "endedAt" | "status"> {
  if (endedAt) return { endedAt, status: hasFailed ? "failed" : "succeeded" };
  return isTerminal(run.status) ? { endedAt: run.completedAt, status: "cancelled" } : { endedAt: null, status: "running" };
}

function toQueueSpan(run: RunView): TraceSpan {
  const end = endOf(run, run.startedAt, false);
  return { ...NOTHING, spanId: "queue", parentId: null, kind: "queue", name: "Waiting for a place", startedAt: run.createdAt, ...end };
}

/** A turn is its model calls and the tool calls that they asked for. */
function toTurnSpans(run: RunView, within: readonly TraceSpan[]): TraceSpan[] {
  const turns = [...new Set(within.map(({ parentId }) => parentId))];
  return turns.flatMap((spanId) => {
    const turn = /^turn-(\d+)$/.exec(spanId ?? "")?.[1];
    if (turn === undefined || spanId === null) return [];
    const parts = within.filter(({ parentId }) => parentId === spanId);
    const open = parts.some(({ endedAt }) => endedAt === null);
    const latest = Math.max(...parts.map(({ endedAt }) => endedAt?.getTime() ?? 0));
    const hasFailed = parts.some(({ kind, status }) => kind === "model" && status === "failed");
    return {
      ...NOTHING,
      ...endOf(run, open ? null : new Date(latest), hasFailed),
      ...{ spanId, parentId: null, kind: "turn", name: `Turn ${Number(turn) + 1}` },
      startedAt: new Date(Math.min(...parts.map(({ startedAt }) => startedAt.getTime()))),
      attributes: { turn: Number(turn) },
    };
  });
}

async function toModelSpan(run: RunView, row: TurnRow, calls: readonly CallRow[], show: Show): Promise<TraceSpan> {
  const { value: output, truncated } = await show(row.content, row.content_length);
  const before = calls
    .filter((call) => call.turn === row.turn - 1)
    .map(({ tool_call_id: id }) => ({ role: "tool", span_id: `tool-${id}` }));
  const given = row.turn === 0 ? await show(JSON.stringify(run.input), JSON.stringify(run.input).length) : null;
  const { capability, finish_reason, input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, first_token_ms, request_id } = row;
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
      ...{ model: row.model, capability, finish_reason, input_tokens, cached_input_tokens, output_tokens, reasoning_tokens },
      ...{ first_token_ms, request_id },
    },
    // The system prompt and what earlier turns show already are not told again.
    input: given ? [{ role: "user", content: given.value }] : before,
    output,
    error: null,
    truncated: truncated || given?.truncated === true,
  };
}

async function toToolSpan(run: RunView, row: CallRow, show: Show): Promise<TraceSpan> {
  const [input, output] = await Promise.all([show(row.arguments, row.arguments_length), show(row.output, row.output_length)]);
  const isFailed = row.succeeded === false;
  return {
    ...NOTHING,
    ...endOf(run, row.ended_at, isFailed),
    ...{ spanId: `tool-${row.tool_call_id}`, parentId: `turn-${row.turn}`, kind: "tool", name: row.name },
    startedAt: row.started_at ?? row.ended_at ?? row.asked_at,
    attributes: { tool_call_id: row.tool_call_id },
    input: input.value,
    output: output.value,
    error: isFailed ? { code: "TOOL_FAILED", message: messageOf(output.value) } : null,
    truncated: input.truncated || output.truncated,
  };
}

function messageOf(output: JsonValue): string {
  const error = typeof output === "object" && output !== null && !Array.isArray(output) ? output.error : null;
  return typeof error === "string" ? error : "The call failed; see its output.";
}

function toApprovalSpan(run: RunView, row: ApprovalRow): TraceSpan {
  return {
    ...NOTHING,
    ...endOf(run, row.decided_at, row.status !== "approved"),
    ...{ spanId: `approval-${row.id}`, parentId: row.tool_call_id === null ? null : `tool-${row.tool_call_id}` },
    ...{ kind: "approval", name: row.tool_name, startedAt: row.created_at },
    attributes: { approval_id: row.id, decision: row.status, summary: row.summary },
  };
}

async function toSpan(row: SpanRow, show: Show): Promise<TraceSpan> {
  const { value: output, truncated } = await show(row.output, row.output_length);
  const { charge: _, ...attributes } = row.attributes;
  return {
    ...NOTHING,
    ...{ spanId: row.id, parentId: `turn-${row.turn}`, kind: row.kind, name: row.name, status: row.status },
    ...{ startedAt: row.started_at, endedAt: row.ended_at, credits: toCredits(Number(row.micros ?? 0)) },
    ...{ attributes, output, error: row.error, truncated },
  };
}

/** One attempt to deliver the webhook; a delivery that nobody has attempted yet is one that runs. */
function toWebhookSpan(row: AttemptRow): TraceSpan {
  const startedAt = row.at ?? row.created_at;
  const isFailed = row.error !== null || (row.status_code !== null && (row.status_code < 200 || row.status_code > 299));
  return {
    ...NOTHING,
    ...{ spanId: `webhook-${row.delivery_id}-${row.attempt ?? 0}`, parentId: null, kind: "webhook", name: row.url, startedAt },
    endedAt: row.at && new Date(row.at.getTime() + (row.duration_ms ?? 0)),
    status: row.at === null ? "running" : isFailed ? "failed" : "succeeded",
    attributes: { delivery_id: row.delivery_id, attempt: row.attempt, status_code: row.status_code },
    error: isFailed ? { code: "DELIVERY_FAILED", message: row.error ?? `The receiver answered ${row.status_code}.` } : null,
  };
}
