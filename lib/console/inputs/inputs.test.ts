import { describe, expect, it } from "vitest";
import { exampleInput, toFormFields, toRunInput } from "@/lib/console/inputs";
import type { JsonObject } from "@/lib/model/json-schema/json-value";

const SCHEMA: JsonObject = {
  type: "object",
  required: ["topic", "rows"],
  properties: {
    topic: { type: "string", title: "Topic", examples: ["Trade"] },
    maxRows: { type: "number" },
    rows: { type: "integer", default: 10 },
    tone: { enum: ["calm", "bold"] },
    level: { enum: [1, 2] },
    deep: { type: "boolean" },
    body: { type: "string", maxLength: 5000 },
    tags: { type: "array", items: { type: "string" } },
  },
};

function fieldsOf(schema: JsonObject) {
  const fields = toFormFields(schema);
  if (!fields) throw new Error("the schema has fields");
  return fields;
}

describe("the form of an inputs schema", () => {
  it("has the control that fits each type", () => {
    expect(fieldsOf(SCHEMA).map(({ name, control }) => [name, control])).toEqual([
      ["topic", "text"],
      ["maxRows", "number"],
      ["rows", "number"],
      ["tone", "select"],
      ["level", "select"],
      ["deep", "boolean"],
      ["body", "textarea"],
      ["tags", "json"],
    ]);
    expect(fieldsOf(SCHEMA)[1]?.label).toBe("Max rows");
  });

  it("is left to free input when there is nothing to ask for, or too much", () => {
    expect(toFormFields(null)).toBeNull();
    expect(toFormFields({ type: "object" })).toBeNull();
    expect(
      toFormFields({
        properties: Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`f${index}`, {}])),
      }),
    ).toBeNull();
  });

  it("shows the fields in the order of the schema, whichever have to be filled in", () => {
    const schema = {
      properties: { note: {}, to: {}, copy: {}, goal: {} },
      required: ["goal", "to"],
    };
    expect(toFormFields(schema)?.map(({ name }) => name)).toEqual(["note", "to", "copy", "goal"]);
  });

  it("sends values in the types of the schema, and leaves out what was left empty", () => {
    const values: Record<string, string | boolean> = {
      topic: "x",
      rows: "3",
      maxRows: " ",
      tone: "bold",
      level: "2",
      deep: true,
      tags: '["a"]',
    };
    expect(toRunInput(fieldsOf(SCHEMA), new Map(Object.entries(values)))).toEqual({
      input: { topic: "x", rows: 3, tone: "bold", level: 2, deep: true, tags: ["a"] },
      problems: new Map(),
    });
  });

  it("names each field that cannot be sent", () => {
    const { problems } = toRunInput(
      fieldsOf(SCHEMA),
      new Map([
        ["topic", " "],
        ["rows", "1.5"],
        ["maxRows", "many"],
        ["tags", "["],
      ]),
    );
    expect([...problems.keys()]).toEqual(["topic", "maxRows", "rows", "tags"]);
  });

  it("shows an example that a run would accept in kind", () => {
    expect(exampleInput(SCHEMA)).toEqual({
      topic: "Trade",
      maxRows: 1,
      rows: 10,
      tone: "calm",
      level: 1,
      deep: false,
      body: "…",
      tags: [],
    });
    expect(exampleInput(null)).toEqual({ request: "…" });
  });

  it("keeps a field that is named like a part of every object", () => {
    const schema = JSON.parse(
      '{"properties": {"__proto__": {"type": "string"}, "constructor": {"type": "string"}}}',
    ) as JsonObject; // just written down
    const { input } = toRunInput(fieldsOf(schema), new Map([["__proto__", "p"]]));
    expect(JSON.stringify(input)).toBe('{"__proto__":"p"}');
  });
});
