import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import {
  executeTool,
  type RuntimeTool,
  type ToolContext,
  toFunctionTool,
} from "@/lib/runtime/tools/tool";
import { directCall, noteLookup, saidCall, withLookup } from "@/lib/runtime/tools/tool-lookup";

const tool = (name: string, more: Partial<RuntimeTool> = {}): RuntimeTool => ({
  ...{ name, description: `Does ${name}.`, kind: "guarded", inputSchema: { type: "object" } },
  ...{ definition: { name }, execute: () => Promise.reject(new Error("unused")) },
  ...more,
});
const many = (count: number) => Array.from({ length: count }, (_, at) => tool(`tool_${at}`));
const own = tool("todo", { definition: undefined });
// The tool uses nothing else of it.
const context = { signal: new AbortController().signal } as ToolContext;
const find = async (tools: RuntimeTool[], args: JsonObject) => {
  const finder = withLookup(tools).find(({ name }) => name === "find_tools");
  if (!finder) throw new Error("there is no find_tools");
  const { output } = await executeTool(finder, args, context);
  return output as { tools: { name: string }[]; missing?: string[]; error?: string };
};

test("up to eighty ordinary connectors are declared; more, or larger, are looked up", () => {
  expect(withLookup([own, ...many(80)]).map(({ name }) => name)).not.toContain("find_tools");
  const looked = withLookup([own, ...many(81)]);
  expect(looked.filter(({ isLookedUp }) => isLookedUp)).toHaveLength(81);
  expect(looked.filter(({ isLookedUp }) => !isLookedUp).map(({ name }) => name)).toEqual([
    ...["todo", "find_tools", "call_tool"],
  ]);
  const large = tool("large", { description: "x".repeat(80_001) });
  expect(withLookup([own, large]).at(-1)?.name).toBe("call_tool");
});

test("how a run's model was shown its connectors stays so, however many there are", () => {
  const shown = withLookup(many(81)).slice(-2).map(toFunctionTool);
  expect(withLookup(many(3), shown).map(({ name }) => name)).toContain("call_tool");
  const declared = many(80).map(toFunctionTool);
  expect(withLookup(many(81), declared)).toHaveLength(81);
});

test("a connector that has such a name keeps it, and all are declared", () => {
  expect(withLookup([...many(100), tool("call_tool")])).toHaveLength(101);
});

test("tools are found by name, and by words of what they do, with arguments", async () => {
  const order = tool("shop__getOrder", {
    description: "Reads one order with its positions.",
    inputSchema: { type: "object", properties: { id: { type: "string" } } },
  });
  const tools = [...many(90), order];
  expect((await find(tools, { query: "read an order" })).tools[0]).toEqual({
    ...{ name: order.name, description: order.description, input_schema: order.inputSchema },
  });
  const named = await find(tools, { names: ["tool_7", "tool_700"] });
  expect([named.tools.map(({ name }) => name), named.missing]).toEqual([["tool_7"], ["tool_700"]]);
  expect((await find(tools, { query: "tool" })).tools).toHaveLength(8);
  expect((await find(tools, { query: "zebra" })).tools).toEqual([]);
  expect((await find(tools, {})).error).toContain("by query");
});

test("the finder names what there is, and of very many says how many more there are", () => {
  const words = (count: number) => withLookup(many(count)).at(-2)?.description ?? "";
  expect(words(81)).toContain("tool_0, tool_1");
  expect(words(81)).not.toContain("more, which");
  expect(words(5_000)).toMatch(/ and \d+ more, which a query finds/);
  expect(words(5_000).length).toBeLessThan(17_000);
});

test("a call by the calling tool is the call it means, told to its model as made", () => {
  const input = { name: "tool_7", arguments: { a: 1 } };
  expect(directCall({ name: "call_tool", input })).toEqual({ name: "tool_7", input: { a: 1 } });
  expect(directCall({ name: "call_tool", input: { name: "x" } })).toEqual({ name: "x", input: {} });
  const none: JsonValue[] = ["text", null, {}, { name: 7 }, { name: "call_tool" }, []];
  for (const broken of none) expect(directCall({ name: "call_tool", input: broken })).toBe(null);
  expect(directCall({ name: "tool_7", input })).toBe(null);
  const stored = {
    ...{ type: "tool-call" as const, toolCallId: "c", toolName: "tool_7", input: { a: 1 } },
    providerOptions: noteLookup({ google: { thoughtSignature: "s" } }),
  };
  expect(saidCall(stored)).toEqual({
    ...{ type: "tool-call", toolCallId: "c", toolName: "call_tool", input },
    providerOptions: { google: { thoughtSignature: "s" } },
  });
  const plain = { ...stored, providerOptions: { google: {} } };
  expect(saidCall(plain)).toBe(plain);
});
