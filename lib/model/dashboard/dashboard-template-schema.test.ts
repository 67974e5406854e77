import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settleLayout } from "@/lib/console/dashboard/widget-data";
import {
  checkDashboardTemplate,
  DASHBOARD_TEMPLATE_JSON_SCHEMA,
} from "@/lib/model/dashboard/dashboard-template-schema";
import { isJsonPointer, readField, resolvePointer } from "@/lib/model/dashboard/json-pointer";
import { toDottedPath } from "@/lib/model/json-schema/json-value";

const issues = (value: unknown) => {
  const checked = checkDashboardTemplate(value);
  return checked.ok
    ? []
    : checked.issues.map(({ path, message }) => `${toDottedPath(path)}: ${message}`);
};
const one = (widget: object, place: object = {}) => ({
  version: 1,
  title: "T",
  layout: [{ i: "a", x: 0, y: 0, w: 4, h: 2, ...place }],
  widgets: { a: widget },
});
const WIDGETS = {
  total: {
    type: "metric",
    title: "Spent",
    source: { from: "usage", path: "/credits" },
    format: "currency",
    currency: "EUR",
  },
  trend: {
    type: "chart",
    chart: "area",
    source: { from: "run_history", limit: 30 },
    x: "created_at",
    y: ["/usage/credits"],
  },
  rows: {
    type: "table",
    source: { from: "last_result", path: "/data/rows" },
    columns: [{ key: "name" }, { key: "/size", format: "bytes" }],
  },
  note: { type: "markdown", text: "# Hello" },
  names: { type: "list", source: { from: "literal", value: ["a", { b: 1 }] } },
  files: { type: "artifacts", limit: 5 },
  runs: { type: "runs" },
  go: { type: "run_button", label: "Run", input: { topic: "x" } },
};
const FULL = {
  version: 1,
  title: "All",
  layout: Object.keys(WIDGETS).map((i, index) => ({ i, x: 0, y: index * 2, w: 12, h: 2 })),
  widgets: WIDGETS,
};

describe("checkDashboardTemplate", () => {
  it("takes every kind of widget, and a dashboard without any, as they are", () => {
    expect(checkDashboardTemplate(FULL)).toEqual({ ok: true, template: FULL });
    expect(issues({ version: 1, title: "", layout: [], widgets: {} })).toEqual([]);
  });

  it.each([
    [{ ...FULL, version: 2 }, "version: "],
    [{ ...FULL, more: 1 }, "more: Is not a known key."],
    [{ ...FULL, layout: FULL.layout.slice(1) }, "widgets.total: Has no place in the layout."],
    [
      { ...FULL, layout: [...FULL.layout, FULL.layout[0]] },
      "layout.8.i: The widget total has a place already.",
    ],
    [one({ type: "runs" }, { i: "b" }), "layout.0.i: There is no widget b."],
    [one({ type: "runs" }, { i: "constructor" }), "layout.0.i: There is no widget constructor."],
    [one({ type: "runs" }, { x: 9 }), "layout.0.w: Reaches beyond column 12."],
    [one({ type: "runs" }, { x: -1 }), "layout.0.x: "],
    [one({ type: "runs" }, { w: 13 }), "layout.0.w: "],
    [one({ type: "runs" }, { h: 0 }), "layout.0.h: "],
    [one({ type: "runs" }, { y: 1.5 }), "layout.0.y: "],
    [one({ type: "script" }), "widgets.a.type: "],
    [one({ type: "metric", code: "1" }), "widgets.a.code: Is not a known key."],
    [one({ type: "metric", format: "money" }), "widgets.a.format: "],
    [one({ type: "chart", chart: "pie" }), "widgets.a.chart: "],
    [one({ type: "metric", source: { from: "sql" } }), "widgets.a.source.from: "],
    [
      one({ type: "metric", source: { from: "usage", path: "credits" } }),
      "widgets.a.source.path: Must be a JSON Pointer",
    ],
    [
      one({ type: "metric", source: { from: "usage", value: 1 } }),
      "widgets.a.source.value: Is for literal only.",
    ],
    [
      one({ type: "metric", source: { from: "literal" } }),
      "widgets.a.source.value: Is required for literal.",
    ],
    [one({ type: "metric", source: { from: "usage", limit: 101 } }), "widgets.a.source.limit: "],
    [
      {
        ...FULL,
        widgets: Object.fromEntries(
          Array.from({ length: 25 }, (_, n) => [`w${n}`, { type: "runs" }]),
        ),
      },
      "widgets: A dashboard has at most 24 widgets.",
    ],
    [null, ": "],
    [[], ": "],
    [{ ...FULL, title: "\u0000" }, "title: The text must not contain NUL"],
    [
      { ...FULL, title: "x".repeat(200_000) },
      ": A dashboard template has at most 131072 characters.",
    ],
    [{ ...FULL, title: Array.from({ length: 9_000 }, () => 1) }, ": More than 8000 values."],
  ])("refuses %#", (value, expected) => {
    expect(issues(value).join("\n")).toContain(expected);
  });

  it("publishes a JSON Schema that takes what is taken, and refuses unknown keys", () => {
    const fits = new Ajv2020({ strict: true, allowUnionTypes: true, logger: false }).compile(
      DASHBOARD_TEMPLATE_JSON_SCHEMA,
    );
    expect(fits(FULL)).toBe(true);
    expect(fits({ ...FULL, more: 1 })).toBe(false);
    expect(fits(one({ type: "metric", code: "1" }))).toBe(false);
  });
});

describe("resolvePointer", () => {
  const value = { a: [{ "b/c": 1 }, null], "m~n": 2, "": { "": 3 }, "0": 4 };
  it.each([
    ["", value],
    ["/a/0/b~1c", 1],
    ["/a/1", null],
    ["/m~0n", 2],
    ["/", { "": 3 }],
    ["//", 3],
    ["/0", 4],
    ["/a/-", undefined],
    ["/a/00", undefined],
    ["/a/2", undefined],
    ["/a/length", undefined],
    ["/constructor", undefined],
    ["/__proto__/toString", undefined],
    ["a", undefined],
    ["/~2", undefined],
  ])("%j", (pointer, expected) => {
    expect(resolvePointer(value, pointer)).toEqual(expected);
  });

  it("tells pointers from other texts in a time that their length bounds", () => {
    expect(isJsonPointer(`${"/~0".repeat(170)}`)).toBe(true);
    expect(isJsonPointer(`${"/".repeat(511)}~`)).toBe(false);
    expect(isJsonPointer("/".repeat(513))).toBe(false);
  });

  it("reads a field by its key first, then as a pointer", () => {
    expect([
      readField({ a: 1 }, "a"),
      readField({ a: { b: 2 } }, "/a/b"),
      readField({ "/a": 3 }, "/a"),
      readField([1], "0"),
      readField(5, "a"),
    ]).toEqual([1, 2, 3, undefined, undefined]);
  });
});

describe("settleLayout", () => {
  it("moves widgets down until none lies on another, and keeps the others where they are", () => {
    const place = fc.record({
      x: fc.integer({ min: 0, max: 11 }),
      y: fc.integer({ min: 0, max: 6 }),
      w: fc.integer({ min: 1, max: 12 }),
      h: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(place, { maxLength: 24 }), (places) => {
        const layout = places.map((at, index) => ({
          ...at,
          i: `w${index}`,
          w: Math.min(at.w, 12 - at.x),
        }));
        const settled = settleLayout(layout);
        expect(settled.map(({ i, x, w, h }) => ({ i, x, w, h }))).toEqual(
          layout.map(({ i, x, w, h }) => ({ i, x, w, h })),
        );
        const cells = settled.flatMap(({ x, y, w, h }) =>
          Array.from(
            { length: w * h },
            (_, cell) => `${x + (cell % w)}:${y + Math.floor(cell / w)}`,
          ),
        );
        expect(new Set(cells).size).toBe(cells.length);
        expect(settleLayout(settled)).toEqual(settled);
      }),
    );
  });
});
