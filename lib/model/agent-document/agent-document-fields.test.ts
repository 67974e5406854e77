import { expect, test } from "vitest";
import { agentDocumentSchema, DOCUMENTED_KEYS } from "@/lib/model/agent-document/agent-document";
import { toSnakeCase } from "@/lib/model/fields/field-table";

test("an agent's document says all that its versions keep", () => {
  const { kind, format, cases, ...said } = agentDocumentSchema.shape;
  expect(Object.keys(said)).toEqual(DOCUMENTED_KEYS.map(toSnakeCase));
});
