import { expect, test } from "vitest";
import { toFormFields, toFormValues, toRunInput } from "@/lib/console/inputs";
import type { JsonObject } from "@/lib/model/json-schema/json-value";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    topic: { type: "string", default: "lathes" },
    rows: { type: "integer" },
    kind: { enum: ["a", 2] },
    loud: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    maybe: { type: ["string", "null"] },
    constructor: { type: "string" },
  },
};

test("an input that was given before comes back out of the form as it was", () => {
  const fields = toFormFields(SCHEMA) ?? [];
  const inputs: JsonObject[] = [
    {
      topic: "chucks",
      rows: 3,
      kind: 2,
      loud: true,
      tags: ["x", "y"],
      maybe: "z",
      constructor: "c",
    },
    { loud: false, kind: "a" },
  ];
  for (const input of inputs) {
    const read = toRunInput(fields, toFormValues(fields, input));
    expect(read).toEqual({ input, problems: new Map() });
  }
});

test("an input that was not given is an empty field, whatever its name", () => {
  expect(toFormValues(toFormFields(SCHEMA) ?? [], {}).get("constructor")).toBe("");
});
