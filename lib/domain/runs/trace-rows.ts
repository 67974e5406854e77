import "server-only";
import { ATTEMPTS, type AttemptRow } from "@/lib/domain/webhooks/attempt-spans";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import type { TraceSpan } from "@/lib/model/run/trace-span";
import { postgres } from "@/lib/platform/postgres";

/** What is read of one: a secret that its end cuts in half stands behind what is shown. */
const READ_MAX_CHARACTERS = 80_000;
/** What is read of all inputs, and of all outputs, of a run; those behind it are left out. */
const READ_ALL_MAX_CHARACTERS = 8_000_000;
const ROWS_MAX = 2_000;

/** What a run has left that its trace is made of. */
export interface TraceRows {
  turns: TurnRow[];
  calls: CallRow[];
  approvals: ApprovalRow[];
  spans: SpanRow[];
  attempts: AttemptRow[];
}

/** @param content whether what went in and came out is read too */
export async function readTraceRows(run: { id: string; accountId: string }, content: boolean): Promise<TraceRows> {
  const textOf = content ? readText : leaveText;
  const read = async <T extends object>(text: string) => (await postgres().query<T>(text, [run.id, run.accountId])).rows;
  const [ofTurns, ofCalls, approvals, ofSpans, attempts] = await Promise.all([
    read<TurnRow>(turns(textOf)),
    read<CallRow>(calls(textOf)),
    read<ApprovalRow>(APPROVALS),
    read<SpanRow>(spans(textOf)),
    read<AttemptRow>(ATTEMPTS),
  ]);
  return { turns: ofTurns, calls: ofCalls, approvals, spans: ofSpans, attempts };
}

const OF_RUN = "r.id = $1 AND r.account_id = $2";
type TextOf = (column: string, as: string, order: string) => string;
/** A JSON column as text, as much of it as is read. @param order the rows' */
const readText: TextOf = (column, as, order) => `length(${column}::text) AS ${as}_length,
  CASE WHEN sum(least(length(${column}::text), ${READ_MAX_CHARACTERS})) OVER (ORDER BY ${order}) <= ${READ_ALL_MAX_CHARACTERS} THEN left(${column}::text, ${READ_MAX_CHARACTERS}) END AS ${as}`;

/** Where nobody is told. */
const leaveText: TextOf = (_, as) => `NULL::int AS ${as}_length, NULL::text AS ${as}`;

export interface TurnRow {
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
}
const turns = (
  textOf: TextOf,
) => `SELECT t.turn, t.model, t.finish_reason, t.started_at, t.created_at, t.first_token_ms, t.reasoning_tokens, t.request_id,
  u.capability, u.input_tokens, u.cached_input_tokens, u.output_tokens, u.credits_micros AS micros, ${textOf("t.content", "content", "t.turn")}
FROM runs r JOIN run_turns t ON t.run_id = r.id LEFT JOIN run_usage u ON u.run_id = t.run_id AND u.step_key = 'turn-' || t.turn
WHERE ${OF_RUN} ORDER BY t.turn LIMIT ${ROWS_MAX}`;

export interface CallRow {
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
const calls = (
  textOf: TextOf,
) => `SELECT t.turn, c.part ->> 'toolCallId' AS tool_call_id, c.part ->> 'toolName' AS name, t.created_at AS asked_at,
  s.started_at, s.created_at AS ended_at, s.succeeded, ${textOf("(c.part -> 'input')", "arguments", "t.turn, c.place")}, ${textOf("s.output", "output", "t.turn, c.place")}
FROM runs r JOIN run_turns t ON t.run_id = r.id CROSS JOIN LATERAL jsonb_array_elements(t.content) WITH ORDINALITY AS c(part, place)
LEFT JOIN run_tool_results s ON s.run_id = r.id AND s.tool_call_id = c.part ->> 'toolCallId'
WHERE ${OF_RUN} AND c.part ->> 'type' = 'tool-call' ORDER BY t.turn, c.place LIMIT ${ROWS_MAX}`;

export interface ApprovalRow {
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

export interface SpanRow {
  id: string;
  turn: number;
  kind: "retry" | "model" | "compaction";
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
) => `SELECT s.id, s.turn, s.kind, s.name, s.status, s.started_at, s.ended_at, s.attributes, s.error, u.input_tokens, u.cached_input_tokens, u.output_tokens, u.credits_micros AS micros,
  ${textOf("s.output", "output", "s.started_at, s.id")}
FROM runs r JOIN run_spans s ON s.run_id = r.id LEFT JOIN run_usage u ON u.run_id = s.run_id AND u.step_key = s.attributes ->> 'charge'
WHERE ${OF_RUN} ORDER BY s.started_at, s.id LIMIT ${ROWS_MAX}`;
