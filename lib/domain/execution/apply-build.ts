import "server-only";
import { checkAgentDraft, checkAgentPatch } from "@/lib/domain/agents/check-agent-draft";
import { editAgent } from "@/lib/domain/agents/edit-agent";
import { insertAgent } from "@/lib/domain/agents/insert-agent";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tool-call";
import type { RunStep } from "@/lib/domain/execution/with-run-log";
import { settleRun } from "@/lib/domain/runs/settle-run";
import { newId } from "@/lib/platform/ids";
import { CREATE_AGENT_TOOL, EDIT_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";

/**
 * Takes what the model proposes by the one strictly typed tool of a build. What does not fit goes back to the model as the tool's result, so that it
 * can mend it; what fits is stored with the run's end in one transaction.
 */
export async function applyBuild(run: LoadedRun, call: ToolCall, step: RunStep): Promise<ToolResult | "run-ended"> {
  const tool = run.kind === "agent_creation" ? CREATE_AGENT_TOOL : EDIT_AGENT_TOOL;
  if (call.name !== tool.name)
    return { succeeded: false, output: { error: `There is no tool ${JSON.stringify(call.name)} here: call ${tool.name}.` } };
  return run.kind === "agent_creation" ? create(run, call, step) : edit(run, call, step);
}

async function create(run: LoadedRun, call: ToolCall, step: RunStep): Promise<ToolResult | "run-ended"> {
  const checked = checkAgentDraft(call.input);
  if (!checked.ok)
    return {
      succeeded: false,
      output: { error: "The agent cannot be stored so. Mend this and call the tool again.", problems: checked.problems },
    };
  const { draft } = checked;
  const text = `Created **${draft.name}**${draft.description ? `: ${draft.description}` : "."}`;
  await finish(run, call, step, text, { agent_id: newId(), agent_name: draft.name }, (tx, agentId) => insertAgent(tx, run, agentId, draft));
  return "run-ended";
}

async function edit(run: LoadedRun, call: ToolCall, step: RunStep): Promise<ToolResult | "run-ended"> {
  if (!run.agent) return { succeeded: false, output: { error: "The agent does not exist any more." } };
  const { agent } = run;
  const checked = checkAgentPatch(call.input, agent);
  if (!checked.ok)
    return {
      succeeded: false,
      output: { error: "The change cannot be stored so. Mend this and call the tool again.", problems: checked.problems },
    };
  await finish(run, call, step, checked.summary, { agent_id: agent.id, agent_name: checked.patch.name ?? agent.name }, (tx) =>
    editAgent(tx, run, agent, checked.patch),
  );
  return "run-ended";
}

/** Shows the outcome as the run's last message and ends the run together with what it stores. */
async function finish(
  run: LoadedRun,
  call: ToolCall,
  step: RunStep,
  text: string,
  named: { agent_id: string; agent_name: string },
  store: (tx: Parameters<typeof insertAgent>[0], agentId: string) => Promise<void>,
): Promise<void> {
  const messageId = newId();
  step.log.append({ type: "tool.completed", tool_call_id: call.toolCallId, name: call.name, status: "succeeded" });
  step.log.append({ type: "message.created", message_id: messageId, role: "assistant" });
  step.log.append({ type: "output_text.delta", message_id: messageId, delta: text });
  await step.log.flush();
  const outcome = { status: "completed" as const, result: { text, ...named, artifacts: [] }, agentId: named.agent_id };
  await settleRun(run.id, outcome, step.log.fence, (tx) => store(tx, named.agent_id));
}
