import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { tokensAtMost } from "@/lib/runtime/models/read-turn";
import { executeTool, type RuntimeTool, type ToolContext } from "@/lib/runtime/tools/tool";

const CONTEXT: ToolContext = {
  runId: "r",
  accountId: "a",
  toolCallId: "c",
  signal: new AbortController().signal,
  workspace: null,
  artifacts: { create: () => Promise.reject(new Error("not here")) },
  emit: () => {},
  todo: { cardId: null, items: [] },
};

function answer(
  output: JsonValue,
  outputMaxTokens?: number,
  properties: JsonObject = {},
): Promise<{ output: JsonValue }> {
  const tool: RuntimeTool = {
    name: "list_orders",
    description: "",
    kind: "read",
    inputSchema: { type: "object", properties },
    execute: async () => ({ succeeded: true, output }),
  };
  return executeTool(
    tool,
    {},
    { ...CONTEXT, ...(outputMaxTokens !== undefined && { outputMaxTokens }) },
  );
}

test("an output for which the window has room is passed on as it is", async () => {
  const output = { orders: [1, 2, 3] };
  expect((await answer(output, 100)).output).toBe(output);
  const long = "a".repeat(60_000);
  expect((await answer(long)).output).toBe(long);
});

test.each([
  ["prose", "word ".repeat(10_000)],
  ["digits", "7".repeat(50_000)],
  ["quotes and backslashes, which grow when they are quoted", '"\\'.repeat(20_000)],
  ["emoji, of which none is cut in half", "😀".repeat(20_000)],
])("an output of %s is cut to what is left of the window", async (_, text) => {
  const { output } = await answer({ text }, 2_000);
  expect(output).toMatchObject({ cut: true, text: expect.stringMatching(/^\{"text":"/) });
  const shown = String((output as JsonObject).text);
  expect(tokensAtMost(JSON.stringify(shown))).toBeLessThanOrEqual(2_000);
  expect(tokensAtMost(JSON.stringify(shown))).toBeGreaterThan(1_000);
  expect(shown.isWellFormed()).toBe(true);
});

test("a cut output says how long it was, and by which arguments the rest can be had", async () => {
  const properties = {
    customer: { type: "string" },
    cursor: { type: "string" },
    page_size: { type: "integer" },
  };
  const { output } = await answer("x".repeat(9_000), 1_000, properties);
  expect(output).toMatchObject({
    note: expect.stringMatching(
      /had 9000 characters.*call list_orders again.*: cursor, page_size\.$/,
    ),
  });
  expect((await answer("x".repeat(9_000), 1_000)).output).toMatchObject({
    note: expect.stringContaining("gives less at once"),
  });
});

test("no window is so large that an output has more than 64,000 characters of it", async () => {
  const { output } = await answer("a".repeat(70_000), 10_000_000);
  expect(output).toMatchObject({ cut: true, text: "a".repeat(64_000) });
});
