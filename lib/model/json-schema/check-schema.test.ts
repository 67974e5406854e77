import { describe, expect, it } from "vitest";
import { checkSchema } from "@/lib/model/json-schema/check-schema";
import { toDottedPath } from "@/lib/model/json-schema/json-value";

const issues = (schema: unknown) =>
  checkSchema(schema).map(({ path, message }) => `${toDottedPath(path)}: ${message}`);
const nest = (levels: number) => {
  let schema: object = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { items: schema };
  return schema;
};

describe("checkSchema", () => {
  it("lets usual schemas through", () => {
    const order = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://example.com/order.json",
      title: "Order",
      type: "object",
      properties: {
        id: { type: "string", format: "uuid" },
        lines: { type: "array", minItems: 1, items: { $ref: "#/$defs/line" } },
        note: { type: ["string", "null"], maxLength: 500, default: null, examples: ["x"] },
        pattern: { type: "string", pattern: "^[A-Z]{3}-\\d+$" },
        "x-anything": { "x-order": 3 },
      },
      required: ["id", "lines"],
      additionalProperties: false,
      $defs: { line: { type: "object", properties: { parent: { $ref: "#/$defs/line" } } } },
    };
    expect(issues(order)).toEqual([]);
    expect(issues(true)).toEqual([]);
    expect(issues({})).toEqual([]);
    expect(
      issues({ items: [{ type: "string" }], dependencies: { a: ["b"], c: { required: ["d"] } } }),
    ).toEqual([]);
  });

  it.each([
    [{ type: "text" }, "type: type must be one of"],
    [{ type: [] }, "type: type must be one of"],
    [{ properties: { a: { minLength: -1 } } }, "properties.a.minLength: minLength must be"],
    [{ properties: [] }, "properties: properties must map"],
    [{ properties: { a: 5 } }, "properties.a: A schema must be"],
    [{ required: "a" }, "required: required must be"],
    [{ required: ["a", "a"] }, "required: required must be"],
    [{ anyOf: [] }, "anyOf: anyOf must be"],
    [{ enum: "a" }, "enum: enum must be"],
    [{ exclusiveMinimum: true }, "exclusiveMinimum: exclusiveMinimum must be"],
    [{ multipleOf: 0 }, "multipleOf: multipleOf must be"],
    [{ dependencies: { a: ["b", 1] } }, "dependencies.a: Must be a list"],
    [{ pattern: "(a" }, "pattern: The pattern cannot be used"],
    [{ pattern: "^(?=a)" }, "pattern: The pattern cannot be used"],
    [{ patternProperties: { "(": {} } }, "patternProperties.(: The pattern cannot be used"],
    [
      { unevaluatedProperties: false },
      "unevaluatedProperties: unevaluatedProperties is not supported",
    ],
    [{ $ref: "https://example.com/x.json" }, "$ref: $ref may point only into the same document"],
    [{ $ref: "other.json#/a" }, "$ref: $ref may point only into the same document"],
    [{ $ref: "#/$defs/a" }, "$ref: $ref points at nothing"],
    [{ $ref: "#/__proto__/a" }, "$ref: $ref points at nothing"],
    [{ $ref: "#/%" }, "$ref: $ref points at nothing"],
    [{ $ref: "#/default", default: { properties: 5 } }, "$ref: $ref must point at a schema"],
    [{ properties: { a: { $id: "x" } } }, "properties.a.$id: $id is allowed at the top only"],
    [{ $ref: "#" }, "$ref: $ref leads back"],
    [
      {
        $ref: "#/$defs/a",
        $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } },
      },
      "$ref: $ref leads back",
    ],
    [{ default: "\u0000" }, "default: The text must not contain NUL"],
    [{ title: "\ud800" }, "title: The text must not contain half"],
    [JSON.parse('{"properties": {"__proto__": {}}}'), "properties.__proto__: The key __proto__"],
    ["string", ": A schema must be"],
    [null, ": A schema must be"],
    [undefined, ": Must be a JSON value"],
  ])("refuses %j", (schema, expected) => {
    expect(issues(schema).join("\n")).toContain(expected);
  });

  it("bounds depth, length, values, patterns and issues", () => {
    expect(issues(nest(31))).toEqual([]);
    expect(issues(nest(32))[0]).toContain("Nested deeper than 32 levels");
    expect(issues(nest(50_000))[0]).toContain("Nested deeper than 32 levels");
    expect(issues({ title: "x".repeat(65_524) })).toEqual([]);
    expect(issues({ title: "x".repeat(65_525) })[0]).toContain("at most 65536 characters");
    expect(issues({ enum: Array.from({ length: 9_000 }, () => 1) })[0]).toContain(
      "More than 8000 values",
    );
    const patterns = (count: number) => ({
      patternProperties: Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`^a${n}`, {}]),
      ),
    });
    expect(issues(patterns(50))).toEqual([]);
    expect(issues(patterns(51))[0]).toContain("at most 50 different patterns");
    expect(issues({ allOf: Array.from({ length: 100 }, () => 5) })).toHaveLength(20);
  });

  it("allows references that go deeper, however they cross", () => {
    const tree = {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          properties: {
            left: { $ref: "#/$defs/node" },
            right: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] },
          },
        },
      },
    };
    expect(issues(tree)).toEqual([]);
  });
});
