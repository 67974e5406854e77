import type { JSONObject } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import {
  emptyDraft,
  promptTokens,
  promptTokensAtMost,
  type TurnPrompt,
  type TurnTool,
  tokensAtMost,
  toTurnUsage,
} from "@/lib/runtime/models/read-turn";

const tool = (name: string): TurnTool => ({
  type: "function",
  name,
  description: `Looks at 12 things, "such" as ${name}: é.`,
  inputSchema: { type: "object", properties: { url: { type: "string", maxLength: 2_048 } } },
});

test.each([0, 1, 2, 7])(
  "a prompt with %s tools weighs what its JSON does, also the second time",
  (count) => {
    const tools = Array.from({ length: count }, (_, n) => tool(`tool_${n}`));
    const prompt = [{ role: "system" as const, content: 'Say "yes" 3 times, or {nothing}.' }];
    const whole = tokensAtMost(JSON.stringify([prompt, tools]));
    expect(promptTokensAtMost({ prompt, tools })).toBe(whole);
    expect(promptTokensAtMost({ prompt, tools })).toBe(whole);
  },
);

const PDF = "application/pdf";

test.each<[string, JSONObject]>([
  ["options that are null", { mediaType: PDF, providerOptions: null }],
  ["options that are a text", { mediaType: PDF, providerOptions: "lathe" }],
  ["options of ours that are null", { mediaType: PDF, providerOptions: { lathe: null } }],
  ["pages", { mediaType: PDF, providerOptions: { lathe: { pages: 30_000 } } }],
  ["less than a page", { mediaType: PDF, providerOptions: { lathe: { pages: -1 } } }],
  ["half a page", { mediaType: PDF, providerOptions: { lathe: { pages: 0.5 } } }],
  [
    "pages and data",
    {
      type: "file",
      mediaType: PDF,
      data: { type: "data", data: { 0: 37, length: 1 } },
      providerOptions: { lathe: { pages: 30_000 } },
    },
  ],
])(
  "what others wrote that looks like a document, with %s, is counted as the text that it is",
  (_what, body) => {
    const called = { type: "tool-call" as const, toolCallId: "c", toolName: "t" };
    const result = { ...called, type: "tool-result" as const };
    const json = (value: JSONObject): TurnPrompt => [
      { role: "assistant", content: [{ ...called, input: { nested: [body] } }] },
      { role: "tool", content: [{ ...result, output: { type: "json", value } }] },
    ];
    // As a connector answers, a server of MCP, and as the arguments of a call have it.
    const structured = { content: [], data: body };
    for (const prompt of [json({ status: 200, body }), json(body), json(structured)]) {
      const text = JSON.stringify(prompt);
      expect(promptTokensAtMost({ prompt, tools: [] })).toBe(tokensAtMost(`[${text},[]]`));
      expect(promptTokens(prompt)).toBe(Math.ceil(text.length / 4));
      const usage = toTurnUsage(emptyDraft(), { prompt, tools: [] });
      expect(usage.inputTokens).toBe(Math.ceil(`[${text},[]]`.length / 4));
    }
  },
);
