import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "@/lib/runtime/tools/define-tool";
import { checkArguments } from "@/lib/runtime/tools/tool";

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

test("a model is shown the arguments as they are said once, without what stands in for them", () => {
  expect(JSON.stringify(tool.inputSchema)).toBe(
    '{"type":"object","properties":{"text":{"type":"string","minLength":1,"maxLength":3,"description":"What is noted."},"line":{"type":"integer","minimum":0},"marks":{"type":"array","maxItems":2,"items":{"type":"string","enum":["a","b"]}}},"required":["text"],"additionalProperties":false}',
  );
});

test("what the shown schema lets through is carried out, with its defaults, characters of two code units too", async () => {
  const args = { text: "🙂🙂🙂" };
  expect(checkArguments(tool, args)).toBeNull();
  expect(checkArguments(tool, { text: "abcd" })).not.toBeNull();
  expect(checkArguments(tool, { text: "a", other: 1 })).not.toBeNull();
  // `execute` asks nothing of its surroundings here.
  await tool.execute(args, {} as Parameters<typeof tool.execute>[1]);
  expect(given).toEqual([{ text: "🙂🙂🙂", line: 7 }]);
});
