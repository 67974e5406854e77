import fc from "fast-check";
import { expect, test } from "vitest";
import type { Run } from "@/lib/client/schemas";
import { sampleRun } from "@/lib/client/test/stub-service";
import { checkTemplateText, STARTER_TEMPLATE } from "@/lib/console/dashboard/dashboard-template";
import { toArtifacts, toChart, toListItems, toTable } from "@/lib/console/dashboard/widget-content";
import {
  type DashboardData,
  historyLimit,
  readingOrder,
  sourceValue,
} from "@/lib/console/dashboard/widget-data";
import type { JsonValue } from "@/lib/model/json-schema/json-value";

const run = (id: string, data: JsonValue): Run =>
  sampleRun({
    run_id: id,
    status: "completed",
    agent_id: "a",
    model: "m",
    result: { text: `text of ${id}`, artifacts: [], data },
    usage: { credits: 1.5, breakdown: [] },
    created_at: "2026-01-02T03:04:05.000Z",
    started_at: "2026-01-02T03:04:06.000Z",
    completed_at: "2026-01-02T03:04:08.500Z",
  });
const usage = {
  credits: { available: 10 },
  used_24h: 3,
  by_model: [],
  by_agent: [{ agent_id: "a", agent_name: "A", credits: 2, runs: 4 }],
  by_day: [],
  window_start: "",
};
const DATA: DashboardData = {
  agentId: "a",
  lastRun: run("r2", { total: 7, "a/b": 1 }),
  runs: [run("r2", { total: 7 }), run("r1", { total: 5 })],
  usage,
};
const there = (value: JsonValue) => ({ state: "ready" as const, value });

test("a source gives the whole of what it names, and what its pointer finds in it", () => {
  expect(sourceValue({ from: "last_result", path: "/data/total" }, DATA)).toEqual(there(7));
  expect(sourceValue({ from: "last_result", path: "/data/a~1b" }, DATA)).toEqual(there(1));
  expect(sourceValue({ from: "last_result", path: "/run_id" }, DATA)).toEqual(there("r2"));
  expect(sourceValue({ from: "run_history", path: "/1/data/total" }, DATA)).toEqual(there(5));
  expect(sourceValue({ from: "run_history", path: "/0/duration_seconds" }, DATA)).toEqual(
    there(2.5),
  );
  expect(sourceValue({ from: "usage", path: "/agent/credits" }, DATA)).toEqual(there(2));
  expect(
    sourceValue({ from: "usage", path: "/agent/runs" }, { ...DATA, agentId: "other" }),
  ).toEqual(there(0));
  expect(sourceValue({ from: "literal", value: [1, 2, 3], limit: 2 }, DATA)).toEqual(there([1, 2]));
  expect(sourceValue({ from: "literal", value: 0 }, DATA)).toEqual(there(0));
});

test("a source tells what is coming, not there yet and not found apart", () => {
  expect(sourceValue({ from: "last_result" }, { ...DATA, lastRun: undefined })).toEqual({
    state: "loading",
  });
  expect(sourceValue({ from: "run_history" }, { ...DATA, runs: undefined })).toEqual({
    state: "loading",
  });
  expect(sourceValue({ from: "usage" }, { ...DATA, usage: undefined })).toEqual({
    state: "loading",
  });
  expect(sourceValue({ from: "last_result" }, { ...DATA, lastRun: null })).toMatchObject({
    state: "missing",
  });
  expect(sourceValue({ from: "last_result", path: "/data/none" }, DATA)).toMatchObject({
    state: "missing",
    reason: expect.stringContaining("/data/none"),
  });
  expect(sourceValue({ from: "last_result", path: "/data/constructor" }, DATA)).toMatchObject({
    state: "missing",
  });
});

test("a chart reads rows by keys and pointers, plain numbers and an object of numbers", () => {
  const rows = there([
    { day: "mon", v: { n: 1 }, w: "2" },
    { day: "tue", v: {}, w: null },
  ]);
  expect(toChart(rows, { x: "day", y: ["/v/n", "w"] })).toEqual({
    state: "ready",
    value: {
      series: ["/v/n", "w"],
      points: [
        { x: "mon", values: [1, 2] },
        { x: "tue", values: [null, null] },
      ],
    },
  });
  expect(toChart(there([3, 4]), {})).toMatchObject({
    value: {
      points: [
        { x: 1, values: [3] },
        { x: 2, values: [4] },
      ],
    },
  });
  expect(toChart(there({ a: 3, b: 4 }), {})).toMatchObject({
    value: {
      points: [
        { x: "a", values: [3] },
        { x: "b", values: [4] },
      ],
    },
  });
  expect(toChart(there([{ n: 5, name: "x", text: "t" }]), {})).toMatchObject({
    value: { series: ["n"], points: [{ x: "x", values: [5] }] },
  });
});

test("a chart says what is wrong with data that it cannot draw", () => {
  expect(toChart(there("text"), {})).toMatchObject({ state: "unfit" });
  expect(toChart(there([]), {})).toMatchObject({ state: "missing" });
  expect(toChart(there([{ a: "x" }]), { y: "b" })).toMatchObject({
    state: "unfit",
    reason: "No row has a number in b.",
  });
});

test("a table shows its rows' keys or named columns, and how many rows it leaves out", () => {
  expect(toTable(there([{ a: 1 }, { b: 2 }]), undefined)).toMatchObject({
    value: {
      columns: [{ key: "a" }, { key: "b" }],
      rows: [
        [1, undefined],
        [undefined, 2],
      ],
      omitted: 0,
    },
  });
  expect(toTable(there([{ a: { b: 2 } }]), [{ key: "/a/b" }])).toMatchObject({
    value: { rows: [[2]] },
  });
  expect(toTable(there({ x: 1, y: 2 }), undefined)).toMatchObject({
    value: {
      rows: [
        ["x", 1],
        ["y", 2],
      ],
    },
  });
  expect(
    toTable(
      there([
        [1, 2],
        [3, 4],
      ]),
      undefined,
    ),
  ).toMatchObject({
    value: {
      rows: [
        [1, 2],
        [3, 4],
      ],
    },
  });
  expect(toTable(there(Array.from({ length: 130 }, () => ({ a: 1 }))), undefined)).toMatchObject({
    value: { omitted: 30 },
  });
  expect(toTable(there(5), undefined)).toMatchObject({ state: "unfit" });
});

test("a list shows items, fields of them, or an object's keys", () => {
  expect(toListItems(there(["a", "b"]), undefined)).toMatchObject({
    value: { items: [{ value: "a" }, { value: "b" }] },
  });
  expect(toListItems(there([{ t: "a" }, {}]), "t")).toMatchObject({
    value: { items: [{ value: "a" }, { value: null }] },
  });
  expect(toListItems(there({ k: 1 }), undefined)).toMatchObject({
    value: { items: [{ name: "k", value: 1 }] },
  });
  expect(toListItems(there([{ t: 1 }]), "none")).toMatchObject({ state: "unfit" });
  expect(toListItems(there([]), undefined)).toMatchObject({ state: "missing" });
});

test("only what has all of an artifact is a file", () => {
  const file = {
    id: "1",
    title: "T",
    type: "text/plain",
    url: "/api/artifacts/1",
    name: "t.txt",
    size_bytes: 3,
  };
  expect(toArtifacts(there([file, { id: "2" }, null, "x"]), 10)).toEqual({
    state: "ready",
    value: [file],
  });
  expect(toArtifacts(there([]), 10)).toMatchObject({ state: "missing" });
  expect(toArtifacts(there("x"), 10)).toMatchObject({ state: "unfit" });
});

test("no value of any shape breaks a widget's reading of it", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.option(fc.constantFrom("a", "/a", "/0", "__proto__", "")),
      (value, field) => {
        const source = there(value as JsonValue);
        for (const content of [
          toChart(source, field ? { x: field, y: field } : {}),
          toTable(source, field ? [{ key: field }] : undefined),
          toListItems(source, field ?? undefined),
          toArtifacts(source, 5),
        ])
          expect(["ready", "missing", "unfit"]).toContain(content.state);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("places are read from the upper left, without overlaps or empty rows", () => {
  const order = readingOrder([
    { i: "low", x: 0, y: 400, w: 12, h: 2 },
    { i: "right", x: 6, y: 0, w: 6, h: 2 },
    { i: "left", x: 0, y: 0, w: 7, h: 2 },
  ]);
  expect(order.map(({ i, y }) => [i, y])).toEqual([
    ["left", 0],
    ["right", 2],
    ["low", 4],
  ]);
});

test("the runs that are read are as many as the widgets ask for, at most a hundred", () => {
  const template = (limit: number) => ({
    ...STARTER_TEMPLATE,
    widgets: { runs: { type: "runs" as const, limit } },
  });
  expect([
    historyLimit(template(3)),
    historyLimit(template(60)),
    historyLimit(template(100)),
  ]).toEqual([20, 60, 100]);
});

test("a template is read as JSON and as YAML, and each fault has its line and column", () => {
  expect(checkTemplateText(JSON.stringify(STARTER_TEMPLATE))).toMatchObject({ ok: true });
  expect(checkTemplateText("version: 1\ntitle: T\nlayout: []\nwidgets: {}\n")).toMatchObject({
    ok: true,
  });
  expect(
    checkTemplateText(
      '{"version": 1,\n "title": "T",\n "layout": [],\n "widgets": {},\n "extra": 1}',
    ),
  ).toMatchObject({
    ok: false,
    errors: [{ path: "extra", line: 5, column: 2 }],
  });
  expect(checkTemplateText("{")).toMatchObject({ ok: false, errors: [{ line: 1 }] });
});
