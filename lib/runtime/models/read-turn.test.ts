import { expect, test } from "vitest";
import { promptTokensAtMost, type TurnTool, tokensAtMost } from "@/lib/runtime/models/read-turn";

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
