import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { EDIT_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";
import { agentEditPrompt } from "@/lib/runtime/prompts/prompts";
import { toFunctionTool } from "@/lib/runtime/tools/tool";
import { decideTurn } from "./create-offline-model";

const AGENT = {
  name: "Old",
  description: null,
  skill_content: "Help.",
  config: { version: 1 },
  dashboard_template: null,
  write_autonomy: "blocked",
};

/** An edit whose first proposal was answered with `output`. */
function afterProposal(output: { error: string; agent_changed?: boolean }): LanguageModelV3CallOptions {
  return {
    tools: [toFunctionTool(EDIT_AGENT_TOOL)],
    prompt: [
      { role: "system", content: agentEditPrompt(AGENT, [], new Date(0)) },
      { role: "user", content: [{ type: "text", text: "Rename it to Fresh" }] },
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "1", toolName: "edit_agent", input: { name: "Fresh", summary: "x" } }],
      },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "1", toolName: "edit_agent", output: { type: "json", value: output } }],
      },
    ],
  };
}

test("the rules make an edit again when the agent was changed meanwhile, and give up when it was refused for what it says", () => {
  const again = decideTurn(afterProposal({ error: "The agent was changed.", agent_changed: true }));
  expect(again.calls).toMatchObject([{ name: "edit_agent", input: { name: "Fresh" } }]);
  expect(decideTurn(afterProposal({ error: "The change cannot be stored so." })).calls).toEqual([]);
});
