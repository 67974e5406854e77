import { expect, test } from "vitest";
import { checkSchema } from "@/lib/model/json-schema/check-schema";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";
import { answerForm } from "@/lib/runtime/models/answer/answer-form";

const CITY: JsonObject = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

test("takes a value of the schema, or null with what is missing, and nothing else", () => {
  const { schema, tool } = answerForm(CITY, []);
  expect(tool).toMatchObject({ name: "answer", inputSchema: schema });
  const fits = (value: object) => validateAgainst(schema, value).length === 0;
  expect(fits({ answer: { city: "Bern" }, missing: [] })).toBe(true);
  expect(fits({ answer: null, missing: ["the city"] })).toBe(true);
  for (const value of [
    { answer: { city: 1 }, missing: [] },
    { answer: null },
    { city: "Bern" },
    { answer: null, missing: [], more: 1 },
  ])
    expect(fits(value), JSON.stringify(value)).toBe(false);
});

test("what the schema refers to is found from within the envelope too", () => {
  const schema: JsonObject = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: { name: { type: "string" }, node: { $ref: "#/definitions/other" } },
    definitions: { other: { type: "integer" } },
    type: "object",
    properties: {
      name: { $ref: "#/$defs/name" },
      node: { $ref: "#/$defs/node" },
      size: { type: "integer" },
      twice: { $ref: "#/properties/size" },
      parts: { type: "array", items: { $ref: "#" } },
    },
    required: ["name"],
  };
  const { schema: envelope } = answerForm(schema, []);
  expect(checkSchema(envelope)).toEqual([]);
  const fits = (answer: object) => validateAgainst(envelope, { answer, missing: [] }).length === 0;
  expect(fits({ name: "a", node: 1, twice: 2, parts: [{ name: "b", parts: [] }] })).toBe(true);
  expect(fits({ name: "a", parts: [{ name: 1 }] })).toBe(false);
  expect(fits({ name: "a", twice: "2" })).toBe(false);
  expect(fits({ name: "a", node: "1" })).toBe(false);
});

test("its names are free: of the schema's own properties, and of the other tools", () => {
  const own: JsonObject = {
    type: "object",
    properties: { answer: { type: "string" }, missing: {}, answer_1: {} },
  };
  const { keys, schema } = answerForm(own, []);
  expect(keys).toEqual({ answer: "answer_2", missing: "missing_1" });
  // An envelope's.
  expect(Object.keys(schema.properties as object)).toEqual(["answer_2", "missing_1"]);
  expect(answerForm(CITY, [{ name: "answer" }, { name: "answer_1" }]).tool.name).toBe("answer_2");
});
