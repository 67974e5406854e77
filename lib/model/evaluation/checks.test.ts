import { expect, test } from "vitest";
import { checkSchemaOfAnswer, failedChecks } from "@/lib/model/evaluation/checks";

const ANSWER = {
  text: 'Order 4711: SENT {"a": 1}',
  data: { items: [{ total: 3 }] },
  tools: ["get"],
};

test.each([
  [{ type: "contains", value: "sent" }, true],
  [{ type: "contains", value: "lost" }, false],
  [{ type: "not_contains", value: "lost" }, true],
  [{ type: "not_contains", value: "order" }, false],
  [{ type: "equals", value: { items: [{ total: 3 }] } }, true],
  [{ type: "equals", value: { items: [] } }, false],
  [{ type: "matches", pattern: "^Order \\d{4}:" }, true],
  [{ type: "matches", pattern: "^\\d" }, false],
  [{ type: "json_path", path: "/items/0/total", value: 3 }, true],
  [{ type: "json_path", path: "$.items[0].total", value: 3 }, true],
  [{ type: "json_path", path: "$.items[0].total" }, true],
  [{ type: "json_path", path: "/items/0/total", value: 4 }, false],
  [{ type: "json_path", path: "/items/1" }, false],
  [{ type: "schema", schema: { type: "object", required: ["items"] } }, true],
  [{ type: "schema", schema: { type: "object", required: ["other"] } }, false],
  [{ type: "tool_called", tool: "get" }, true],
  [{ type: "tool_called", tool: "send" }, false],
  [{ type: "tool_not_called", tool: "send" }, true],
  [{ type: "tool_not_called", tool: "get" }, false],
])("an answer passes %j: %s", (check, passes) => {
  const parsed = checkSchemaOfAnswer.parse(check);
  expect(failedChecks([parsed], ANSWER)).toHaveLength(passes ? 0 : 1);
});

test("a text that is JSON is looked into, and one that is none has no data", () => {
  const check = checkSchemaOfAnswer.parse({ type: "json_path", path: "/total", value: 3 });
  expect(failedChecks([check], { text: '{"total": 3}', tools: [] })).toEqual([]);
  expect(failedChecks([check], { text: "total 3", tools: [] })).toEqual(['json_path ["/total",3]']);
});

test("an expression that would take for ever is given up, and counts as failed", () => {
  const check = checkSchemaOfAnswer.parse({ type: "matches", pattern: "(a{0,30}){0,30}b" });
  expect(failedChecks([check], { text: "a".repeat(1_000_000), tools: [] })[0]).toContain(
    "too much work",
  );
});

test.each([
  { type: "matches", pattern: "(" },
  { type: "json_path", path: "items" },
  { type: "schema", schema: { type: "nothing" } },
  { type: "sounds_nice", value: "x" },
  { type: "contains", value: "" },
  { type: "contains", value: "x", more: 1 },
])("%j is no check", (check) => {
  expect(checkSchemaOfAnswer.safeParse(check).success).toBe(false);
});
