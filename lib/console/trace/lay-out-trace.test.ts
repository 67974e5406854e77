import { expect, test } from "vitest";
import type { RunSpan } from "@/lib/client/schemas";
import { firstToSee, layOutTrace } from "@/lib/console/trace/lay-out-trace";

const at = (ms: number) => new Date(Date.UTC(2026, 0, 31) + ms).toISOString();
const span = (
  span_id: string,
  parent_id: string | null,
  from: number,
  to: number | null,
  more: Partial<RunSpan> = {},
): RunSpan => ({
  ...{
    span_id,
    parent_id,
    kind: "tool",
    name: span_id,
    status: "succeeded",
    started_at: at(from),
    ended_at: to === null ? null : at(to),
  },
  ...{ credits: 0, attributes: {}, input: null, output: null, error: null, ...more },
});

test("each span is below what it took place in, on one axis from start to end", () => {
  const spans = [
    span("queue", null, 0, 100),
    span("turn", null, 100, 900),
    span("model", "turn", 100, 500),
    span("after", null, 900, 1_000),
  ];
  const { rows, durationMs } = layOutTrace([...spans, span("tool", "turn", 500, 900)], 0);
  expect(durationMs).toBe(1_000);
  expect(
    rows.map(({ span: { span_id }, depth, start, end }) => [span_id, depth, start, end]),
  ).toEqual([
    ["queue", 0, 0, 0.1],
    ["turn", 0, 0.1, 0.9],
    ["model", 1, 0.1, 0.5],
    ["tool", 1, 0.5, 0.9],
    ["after", 0, 0.9, 1],
  ]);
});

test("a span that goes on reaches to now, and one whose parent is not there is not lost", () => {
  const { rows, durationMs } = layOutTrace(
    [span("a", null, 0, null), span("b", "gone", 50, 60)],
    Date.UTC(2026, 0, 31) + 200,
  );
  expect(durationMs).toBe(200);
  expect(rows.map(({ span: { span_id }, end, durationMs: ms }) => [span_id, end, ms])).toEqual([
    ["a", 1, 200],
    ["b", 0.3, 10],
  ]);
});

test("an empty trace has no rows, and a clock that lags makes no bar run backwards", () => {
  expect(layOutTrace([], 0)).toEqual({ rows: [], durationMs: 0 });
  const { rows } = layOutTrace([span("a", null, 500, null)], Date.UTC(2026, 0, 31));
  expect(rows[0]).toMatchObject({ start: 0, end: 0, durationMs: 0 });
});

test("what failed innermost is seen first", () => {
  const failed = { status: "failed" } as const;
  const { rows } = layOutTrace(
    [
      span("turn", null, 0, 9, failed),
      span("one", "turn", 1, 2, failed),
      span("two", "turn", 3, 4, failed),
    ],
    0,
  );
  expect(firstToSee(rows)?.span_id).toBe("two");
  expect(firstToSee(layOutTrace([span("fine", null, 0, 1)], 0).rows)).toBeNull();
});
