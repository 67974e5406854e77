import { expect, test } from "vitest";
import { z } from "zod";
import { camelSchema, camelValue } from "@/lib/api/schemas/camel-case";

const SCHEMA = z.object({
  run_id: z.string(),
  asked: z
    .discriminatedUnion("type", [
      z.object({ type: z.literal("one"), approval_id: z.string() }),
      z.object({
        type: z.literal("many"),
        calls: z.array(z.object({ tool_call_id: z.string(), arguments: z.unknown() })),
      }),
    ])
    .nullable(),
  metadata: z.record(z.string(), z.string()),
  not_there: z.string().optional(),
});

test("names are in camelCase to the bottom, and what others named stays", () => {
  const value = {
    run_id: "r",
    asked: {
      type: "many",
      calls: [{ tool_call_id: "c", arguments: { max_rows: { first_row: 1 } }, secret: 1 }],
    },
    metadata: { my_key: "v" },
  };
  const camel = {
    runId: "r",
    asked: {
      type: "many",
      calls: [{ toolCallId: "c", arguments: { max_rows: { first_row: 1 } } }],
    },
    metadata: { my_key: "v" },
  };
  expect(camelValue(SCHEMA, value)).toEqual(camel);
  expect(camelSchema(SCHEMA).parse(camel)).toEqual(camel);
  expect(camelSchema(SCHEMA).safeParse(value).success).toBe(false);
  expect(camelValue(SCHEMA, { ...value, asked: null })).toEqual({ ...camel, asked: null });
});

test("a schema in which no name changes stays the same object, named in the document", () => {
  const schema = z.object({ code: z.string() }).nullable();
  expect(camelSchema(schema)).toBe(schema);
});
