import type { RunSpan } from "@/lib/client/schemas";

/**
 * A span's row: how deep it stands, and where its bar begins and ends on the axis of the whole run,
 * from 0 to 1.
 */
export interface TraceRow {
  span: RunSpan;
  depth: number;
  start: number;
  end: number;
  durationMs: number;
}

/**
 * The spans of a run as rows: each below what it took place in, otherwise in the order of their
 * start. A span whose parent is not among them stands at the top; one that goes on reaches to
 * `now`.
 */
export function layOutTrace(
  spans: readonly RunSpan[],
  now: number,
): { rows: TraceRow[]; durationMs: number } {
  const ids = new Set(spans.map(({ span_id }) => span_id));
  const children = new Map<string | null, RunSpan[]>();
  for (const span of spans) {
    const parent = span.parent_id !== null && ids.has(span.parent_id) ? span.parent_id : null;
    children.set(parent, [...(children.get(parent) ?? []), span]);
  }
  const startOf = (span: RunSpan) => Date.parse(span.started_at);
  const endOf = (span: RunSpan) =>
    Math.max(startOf(span), span.ended_at === null ? now : Date.parse(span.ended_at));
  const begin = Math.min(...spans.map(startOf));
  const total = Math.max(...spans.map(endOf)) - begin;
  const share = (time: number) => (total > 0 ? (time - begin) / total : 0);
  const rows: TraceRow[] = [];
  const add = (parent: string | null, depth: number) => {
    for (const span of children.get(parent) ?? []) {
      rows.push({
        span,
        depth,
        start: share(startOf(span)),
        end: share(endOf(span)),
        durationMs: endOf(span) - startOf(span),
      });
      add(span.span_id, depth + 1);
    }
  };
  if (spans.length > 0) add(null, 0);
  return { rows, durationMs: Math.max(0, total) };
}

/**
 * The span to look at first: the innermost that failed, the last of them; null when nothing did.
 */
export function firstToSee(rows: readonly TraceRow[]): RunSpan | null {
  const failed = rows.filter(({ span }) => span.status === "failed");
  const deepest = Math.max(...failed.map(({ depth }) => depth));
  return failed.findLast(({ depth }) => depth === deepest)?.span ?? null;
}
