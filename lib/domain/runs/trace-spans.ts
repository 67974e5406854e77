import "server-only";
import type { RunView } from "@/lib/domain/runs/run-view";
import type { ApprovalRow, CallRow, SpanRow, TraceRows, TurnRow } from "@/lib/domain/runs/trace-rows";
import { toWebhookSpan } from "@/lib/domain/webhooks/attempt-spans";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { toCredits } from "@/lib/model/run/run-result";
import { isTerminal } from "@/lib/model/run/run-status";
import { NOTHING_MORE, type TraceSpan } from "@/lib/model/run/trace-span";

/** How a JSON text is shown, or that it is not. */
export type Show = (text: string | null, length: number | null) => Promise<{ value: JsonValue; truncated: boolean }>;

/** What of a run its spans are made with. */
type TracedRunView = Pick<RunView, "status" | "input" | "model" | "createdAt" | "startedAt" | "completedAt">;

/** The spans of a run in the order of their start: the one maker of those that the API shows and those that a collector gets. */
export async function toTraceSpans(run: TracedRunView, rows: TraceRows, show: Show): Promise<TraceSpan[]> {
  const tools = await Promise.all(rows.calls.map((call) => toToolSpan(run, call, show)));
  const models = await Promise.all(rows.turns.map((turn) => toModelSpan(run, turn, rows.calls, show)));
  const others = await Promise.all(rows.spans.map((span) => toSpan(span, show)));
  const asked = rows.approvals.map((approval) => toApprovalSpan(run, approval));
  const stored = [...models, ...others, ...tools, ...asked];
  const atWork = modelAtWork(run, rows.turns, stored);
  const within = atWork === null ? stored : [...stored, atWork];
  return [toQueueSpan(run), ...toTurnSpans(run, within), ...within, ...rows.attempts.map(toWebhookSpan)].sort(
    (a, b) => a.startedAt.getTime() - b.startedAt.getTime() || turnOf(a) - turnOf(b) || ORDER[a.kind] - ORDER[b.kind],
  );
}

/** Of what began in the same millisecond, the earlier turn comes first, and in it that within which the other is. */
const turnOf = ({ kind, spanId, parentId }: TraceSpan) =>
  kind === "queue" ? -1 : kind === "webhook" ? Number.MAX_SAFE_INTEGER : Number(/^turn-(\d+)$/.exec(parentId ?? spanId)?.[1] ?? 0);
const ORDER: Record<TraceSpan["kind"], number> = { queue: 0, turn: 1, compaction: 2, retry: 3, model: 4, tool: 5, approval: 6, webhook: 7 };

/** What had no end of its own has the run's. */
function endOf(run: TracedRunView, endedAt: Date | null, hasFailed: boolean): Pick<TraceSpan, "endedAt" | "status"> {
  if (endedAt) return { endedAt, status: hasFailed ? "failed" : "succeeded" };
  return isTerminal(run.status) ? { endedAt: run.completedAt, status: "cancelled" } : { endedAt: null, status: "running" };
}

function toQueueSpan(run: TracedRunView): TraceSpan {
  const end = endOf(run, run.startedAt, false);
  return { ...NOTHING_MORE, spanId: "queue", parentId: null, kind: "queue", name: "Waiting for a place", startedAt: run.createdAt, ...end };
}

/** A turn is its model calls and the tool calls that they asked for. */
function toTurnSpans(run: TracedRunView, within: readonly TraceSpan[]): TraceSpan[] {
  const turns = [...new Set(within.map(({ parentId }) => parentId))];
  return turns.flatMap((spanId) => {
    const turn = /^turn-(\d+)$/.exec(spanId ?? "")?.[1];
    if (turn === undefined || spanId === null) return [];
    const parts = within.filter(({ parentId }) => parentId === spanId);
    const open = parts.some(({ endedAt }) => endedAt === null);
    const latest = Math.max(...parts.map(({ endedAt }) => endedAt?.getTime() ?? 0));
    const hasFailed = parts.some(({ kind, status }) => kind === "model" && status === "failed");
    return {
      ...NOTHING_MORE,
      ...endOf(run, open ? null : new Date(latest), hasFailed),
      ...{ spanId, parentId: null, kind: "turn", name: `Turn ${Number(turn) + 1}` },
      startedAt: new Date(Math.min(...parts.map(({ startedAt }) => startedAt.getTime()))),
      attributes: { turn: Number(turn) },
    };
  });
}

async function toModelSpan(run: TracedRunView, row: TurnRow, calls: readonly CallRow[], show: Show): Promise<TraceSpan> {
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

/**
 * The call of a model that goes on: a run at work whose tools have all answered waits for its model. Nothing is stored of it before its end, so that it began
 * when the part before it ended, give or take the engine's way to it.
 */
function modelAtWork(run: TracedRunView, turns: readonly TurnRow[], before: readonly TraceSpan[]): TraceSpan | null {
  if (run.status !== "running" || run.startedAt === null || before.some(({ endedAt }) => endedAt === null)) return null;
  const turn = (turns.at(-1)?.turn ?? -1) + 1;
  const startedAt = new Date(Math.max(run.startedAt.getTime(), ...before.map(({ endedAt }) => endedAt?.getTime() ?? 0)));
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
  const [input, output] = await Promise.all([show(row.arguments, row.arguments_length), show(row.output, row.output_length)]);
  const isFailed = row.succeeded === false;
  return {
    ...NOTHING_MORE,
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

function toApprovalSpan(run: TracedRunView, row: ApprovalRow): TraceSpan {
  return {
    ...NOTHING_MORE,
    ...endOf(run, row.decided_at, row.status !== "approved"),
    ...{ spanId: `approval-${row.id}`, parentId: row.tool_call_id === null ? null : `tool-${row.tool_call_id}` },
    ...{ kind: "approval", name: row.tool_name, startedAt: row.created_at },
    attributes: { approval_id: row.id, decision: row.status, summary: row.summary },
  };
}

async function toSpan(row: SpanRow, show: Show): Promise<TraceSpan> {
  const { value: output, truncated } = await show(row.output, row.output_length);
  const { charge: _, ...own } = row.attributes;
  const { input_tokens, cached_input_tokens, output_tokens } = row;
  const attributes = row.micros === null ? own : { ...own, input_tokens, cached_input_tokens, output_tokens };
  return {
    ...NOTHING_MORE,
    ...{ spanId: row.id, parentId: `turn-${row.turn}`, kind: row.kind, name: row.name, status: row.status },
    ...{ startedAt: row.started_at, endedAt: row.ended_at, credits: toCredits(Number(row.micros ?? 0)) },
    ...{ attributes, output, error: row.error, truncated },
  };
}
