import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { demoInput } from "./demo-input.mjs";

const given = { request: "How many rows?", path: "weather.csv" };

test("an agent without inputs gets the request and the file", () => {
  expect(demoInput(null, given)).toEqual({ request: "How many rows?", file: "weather.csv" });
});

test("what is given satisfies the agent's own schema, whatever its fields are called", () => {
  const schema = {
    type: "object",
    additionalProperties: false,
    required: ["data_file", "question", "limit", "format", "columns"],
    properties: {
      data_file: { type: "string" },
      question: { type: "string" },
      limit: { type: "integer", minimum: 3 },
      format: { type: "string", enum: ["short", "long"] },
      columns: { type: "array", items: { type: "string" } },
      note: { type: "string" },
    },
  };
  const input = demoInput(schema, given);
  expect(new Ajv().validate(schema, input)).toBe(true);
  expect(input).toMatchObject({ data_file: "weather.csv", question: "How many rows?" });
  expect(input).not.toHaveProperty("note");
});
