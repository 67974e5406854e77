import { expect, test } from "vitest";
import { withDefaults } from "@/lib/model/json-schema/with-defaults";

const SCHEMA = {
  type: "object",
  properties: {
    topic: { type: "string" },
    months: { type: "integer", default: 24 },
    tags: { type: "array", items: { type: "string" }, default: [] },
    range: { type: "object", properties: { unit: { type: "string", default: "day" } } },
  },
};

test("what an input leaves out has the default of its schema, and what it says stays", () => {
  expect(withDefaults(SCHEMA, { topic: "x" })).toEqual({ topic: "x", months: 24, tags: [] });
  expect(withDefaults(SCHEMA, { months: 3, tags: ["a"] })).toEqual({ months: 3, tags: ["a"] });
});

test("an object that is given is filled within, and none is made", () => {
  expect(withDefaults(SCHEMA, { range: {} })).toMatchObject({ range: { unit: "day" } });
  expect(withDefaults(SCHEMA, {})).not.toHaveProperty("range");
});

test("a property called like one of every object is a property like others", () => {
  const schema = JSON.parse(
    '{"properties": {"__proto__": {"default": {"polluted": true}}, "toString": {"default": "x"}}}',
  );
  const filled = withDefaults(schema, {});
  expect(Object.keys(filled)).toEqual(["__proto__", "toString"]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
