import "server-only";
import { AgentChanged } from "@/lib/domain/agents/agent-changed";
import { type AgentDraft, checkAgentDraft, checkAgentPatch } from "@/lib/domain/agents/check-agent-draft";
import { editAgent } from "@/lib/domain/agents/edit-agent";
import { FIRST_VERSION, insertAgent } from "@/lib/domain/agents/insert-agent";
import { agentChangedResult } from "@/lib/domain/execution/agent-changed-result";
import { isAskedByOwner, seenVersion } from "@/lib/domain/execution/judge-build";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tool-call";
import type { RunStep } from "@/lib/domain/execution/with-run-log";
import { settleRun } from "@/lib/domain/runs/settle-run";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { newId } from "@/lib/platform/ids";
import { CREATE_AGENT_TOOL, EDIT_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";
import type { Transaction } from "@/lib/storage/transaction";

/**
 * Takes what the model proposes by the one strictly typed tool of a build. What does not fit goes back to the model as the tool's result, so that it
 * can mend it; what fits is stored with the run's end in one transaction. `judgeBuild` has let it pass.
 */
export async function applyBuild(run: LoadedRun, call: ToolCall, step: RunStep): Promise<ToolResult | "run-ended"> {
  const tool = run.kind === "agent_creation" ? CREATE_AGENT_TOOL : EDIT_AGENT_TOOL;
  if (call.name !== tool.name)
    return { succeeded: false, output: { error: `There is no tool ${JSON.stringify(call.name)} here: call ${tool.name}.` } };
  return run.kind === "agent_creation" ? create(run, call, step) : edit(run, call, step);
}

async function create(run: LoadedRun, call: ToolCall, step: RunStep): Promise<ToolResult | "run-ended"> {
  const checked = checkAgentDraft(call.input);
  if (!checked.ok) return refused("The agent cannot be stored so. Mend this and call the tool again.", checked.problems);
  const { draft, asked } = isAskedByOwner(run) ? checked : { ...checked, draft: asksBeforeWriting(checked.draft) };
  const text = `Created **${draft.name}**${draft.description ? `: ${draft.description}` : "."}${noteOf(asked)}`;
  const agentId = newId();
  await finish(call, step, text, { agent_id: agentId, agent_name: draft.name }, (tx) =>
    insertAgent(tx, { agentId, accountId: run.accountId, runId: run.id, version: FIRST_VERSION }, draft),
  );
  return "run-ended";
}

/** No agent makes another one that writes outside without asking: only a person gives that away. */
function asksBeforeWriting(draft: AgentDraft): AgentDraft {
  return draft.writeAutonomy === "full_auto" ? { ...draft, writeAutonomy: "approval_required" } : draft;
}

async function edit(run: LoadedRun, call: ToolCall, step: RunStep): Promise<ToolResult | "run-ended"> {
  if (!run.agent) return { succeeded: false, output: { error: "The agent does not exist any more." } };
  const { agent } = run;
  if (seenVersion(run, call) !== agent.currentVersionId) return agentChangedResult();
  const checked = checkAgentPatch(call.input, agent);
  if (!checked.ok) return refused("The change cannot be stored so. Mend this and call the tool again.", checked.problems);
  const { patch, summary, asked } = checked;
  try {
    await finish(call, step, summary + noteOf(asked), { agent_id: agent.id, agent_name: patch.name ?? agent.name }, (tx) =>
      editAgent(tx, run, agent, patch),
    );
  } catch (error) {
    if (error instanceof AgentChanged) return agentChangedResult();
    throw error;
  }
  return "run-ended";
}

function refused(error: string, problems: string[]): ToolResult {
  return { succeeded: false, output: { error, problems } };
}

/** What the person reads about connectors that a model wrote; nothing without any. */
function noteOf(asked: readonly string[]): string {
  if (asked.length === 0) return "";
  return `\n\nA model wrote the connector ${asked.join(", ")}, so each of its calls waits for your approval. Take the name out of permissions.ask to let it run without.`;
}

/** Ends the run together with what it stores, and shows the outcome as its last message: all of it becomes true at once, or nothing. */
async function finish(
  call: ToolCall,
  step: RunStep,
  text: string,
  named: { agent_id: string; agent_name: string },
  store: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const messageId = newId();
  const outcome = {
    status: "completed" as const,
    result: { text, ...named, artifacts: [] },
    agentId: named.agent_id,
    lines: [
      { type: "tool.completed", tool_call_id: call.toolCallId, name: call.name, status: "succeeded" },
      { type: "message.created", message_id: messageId, role: "assistant" },
      { type: "output_text.delta", message_id: messageId, delta: text },
    ] satisfies RunEventBody[],
  };
  await settleRun(step.runId, outcome, step.log, store);
}
