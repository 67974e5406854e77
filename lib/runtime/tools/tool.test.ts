import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { memoryFiles } from "@/lib/offline-model/test/offline-run";
import { tokensAtMost } from "@/lib/runtime/models/read-turn";
import {
  executeTool,
  type RuntimeTool,
  type ToolContext,
  ToolFailure,
} from "@/lib/runtime/tools/tool";

const CONTEXT: ToolContext = {
  runId: "r",
  accountId: "a",
  toolCallId: "c",
  signal: new AbortController().signal,
  files: memoryFiles({}),
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
    isPaged: true,
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
])(
  "an output of %s, which is read page by page, is cut to what is left of the window",
  async (_, text) => {
    const { output } = await answer({ text }, 2_000);
    expect(output).toMatchObject({ cut: true, text: expect.stringMatching(/^\{"text":"/) });
    const shown = String((output as JsonObject).text);
    expect(tokensAtMost(JSON.stringify(shown))).toBeLessThanOrEqual(2_000);
    expect(tokensAtMost(JSON.stringify(shown))).toBeGreaterThan(1_000);
    expect(shown.isWellFormed()).toBe(true);
  },
);

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

test("no window is so large that an output has more than 80,000 characters of it", async () => {
  const { output } = await answer("a".repeat(90_000), 10_000_000);
  expect(output).toMatchObject({ cut: true, text: "a".repeat(80_000) });
});

describe("an output for which there is no room is stored whole, and its beginning shown", () => {
  const use = async (output: JsonValue, options: Partial<ToolContext> = {}) => {
    const files = memoryFiles({});
    const tool: RuntimeTool = {
      name: "list_orders",
      description: "",
      kind: "read",
      inputSchema: { type: "object", properties: {} },
      execute: async () => ({ succeeded: true, output }),
    };
    const context = { ...CONTEXT, files, toolCallId: "call/1", ...options };
    // The bound's own form.
    const made = (await executeTool(tool, {}, context)).output as JsonObject;
    const stored = await files.list();
    const read = async (path: string) =>
      new TextDecoder().decode(await files.readBytes(path, 10_000_000));
    return { made, stored: stored.map(({ path }) => path), read };
  };

  test("as JSON by lines, under the name of its tool and call", async () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id }));
    const { made, stored, read } = await use({ rows });
    expect(stored).toEqual(["run:results/list_orders-call1.json"]);
    expect(made).toMatchObject({ stored: true, handle: stored[0], note: expect.any(String) });
    expect(JSON.parse(await read(String(made.handle)))).toEqual({ rows });
    const preview = String(made.preview);
    expect((await read(String(made.handle))).startsWith(preview)).toBe(true);
    expect(preview.length).toBe(8_000);
  });

  test("as its text, where one is all but all of it, with what stood beside it", async () => {
    const text = "line\n".repeat(20_000);
    const { made, read } = await use({ status: 200, body: { page: text } });
    expect(made.handle).toBe("run:results/list_orders-call1.txt");
    expect(made.beside).toEqual({ status: 200, body: {} });
    expect(await read(String(made.handle))).toBe(text);
  });

  test("also a shorter one that the model's window has no room for", async () => {
    const { made, read } = await use("word ".repeat(5_000), { outputMaxTokens: 1_000 });
    expect(tokensAtMost(String(made.preview))).toBeLessThanOrEqual(1_000);
    expect(await read(String(made.handle))).toBe("word ".repeat(5_000));
  });

  test("and cut with the reason where it cannot be stored", async () => {
    const files = {
      ...memoryFiles({}),
      write: () => Promise.reject(new ToolFailure("The space is used up.")),
    };
    const { made } = await use("a".repeat(90_000), { files });
    expect(made).toMatchObject({ cut: true, note: expect.stringContaining("space is used up") });
  });
});
