import "server-only";
import type { ToolResult } from "@/lib/domain/execution/tool-call";

/**
 * What an edit's model is told when somebody else changed the agent while it thought: nothing was stored, and its next turn shows the agent as it is now.
 * The model then makes its change again on that, so that no edit overwrites what it has not seen (docs/decisions/0006).
 */
export function agentChangedResult(): ToolResult {
  const error =
    "The agent was changed by somebody else after you read it, so nothing was stored. current_agent shows it as it is now: make the requested change on that and call the tool again.";
  return { succeeded: false, output: { error, agent_changed: true } };
}

/** Whether a stored output is `agentChangedResult`'s. */
export function isAgentChangedOutput(output: unknown): boolean {
  return typeof output === "object" && output !== null && "agent_changed" in output && output.agent_changed === true;
}
