import { expect, test } from "vitest";
import { z } from "zod";
import { asked, shownAs, unshown } from "@/lib/runtime/prompts/shown-schema";
import { defineTool } from "@/lib/runtime/tools/define-tool";
import { checkArguments, toFunctionTool } from "@/lib/runtime/tools/tool";

const given: unknown[] = [];
const tool = defineTool({
  name: "note",
  description: "Notes.",
  kind: "internal",
  args: z.strictObject({
    text: z.string().min(1).max(3).meta({ description: "What is noted." }),
    line: z.int().min(0).default(7),
    marks: z
      .array(z.enum(["a", "b"]))
      .max(2)
      .optional(),
  }),
  async execute(args) {
    given.push(args);
    return { succeeded: true, output: null };
  },
});

test("a call is checked against the arguments as said once, without stand-ins", () => {
  expect(JSON.stringify(tool.inputSchema)).toBe(
    '{"type":"object","properties":{"text":{"type":"string","minLength":1,"maxLength":3,' +
      '"description":"What ' +
      "is " +
      'noted."},"line":{"type":"integer","minimum":0},"marks":{"type":"array","maxItems":2,' +
      '"items":{"type":"string","enum":["a","b"]}}},"required":["text"],' +
      '"additionalProperties":false}',
  );
});

test("a model is shown the same without texts' lengths, and counts from nothing", () => {
  expect(JSON.stringify(toFunctionTool(tool).inputSchema)).toBe(
    '{"type":"object","properties":{"text":{"type":"string","description":"What is ' +
      'noted."},"line":{"type":"integer"},"marks":{"type":"array","maxItems":2,' +
      '"items":{"type":"string","enum":["a","b"]}}},"required":["text"],' +
      '"additionalProperties":false}',
  );
  expect(checkArguments(tool, { text: "" })).not.toBeNull();
});

test("a part is shown as something else, asked for though optional, or taken unshown", () => {
  const { inputSchema, shownSchema } = defineTool({
    name: "parts",
    description: "Parts.",
    kind: "read",
    args: z.strictObject({
      way: shownAs(z.union([z.string(), z.array(z.string())]), { type: "string" }),
      why: asked(z.string().optional()),
      former: unshown(z.boolean().optional()),
      note: z.string().nullable().optional(),
    }),
    execute: async () => ({ succeeded: true, output: null }),
  });
  const schema = (former: object) => ({
    type: "object",
    properties: {
      way: { type: "string" },
      why: { type: "string" },
      ...former,
      note: { type: ["string", "null"] },
    },
    required: ["way", "why"],
    additionalProperties: false,
  });
  expect(shownSchema).toEqual(schema({}));
  expect(inputSchema).toMatchObject({ properties: { former: { type: "boolean" } } });
  // What is taken is what `args` say, whatever a model is shown.
  expect(checkArguments({ inputSchema }, { way: ["a", "b"], former: true, note: null })).toBeNull();
  expect(checkArguments({ inputSchema }, { way: 1 })).not.toBeNull();
});

test("what the checked schema lets through is done, defaults and all", async () => {
  const args = { text: "🙂🙂🙂" };
  expect(checkArguments(tool, args)).toBeNull();
  expect(checkArguments(tool, { text: "abcd" })).not.toBeNull();
  expect(checkArguments(tool, { text: "a", other: 1 })).not.toBeNull();
  // `execute` asks nothing of its surroundings here.
  await tool.execute(args, {} as Parameters<typeof tool.execute>[1]);
  expect(given).toEqual([{ text: "🙂🙂🙂", line: 7 }]);
});
