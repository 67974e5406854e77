import "server-only";
import { checkAgentPatch } from "@/lib/domain/agents/check-agent-draft";
import { digestOf } from "@/lib/domain/approvals/to-question";
import { answer, type Judgement, turnedDownText } from "@/lib/domain/execution/judge-call";
import type { LoadedAgent, LoadedRun } from "@/lib/domain/execution/load-run";
import type { ToolCall } from "@/lib/domain/execution/tool-call";
import { describeWidening } from "@/lib/model/agent-config/describe-widening";
import type { ApprovalQuestion } from "@/lib/model/approval/approval-question";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { EDIT_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";

/**
 * Judges what a build's model proposes. What an account's owner asked for by a key or signed in is done as it is; an edit that anybody else asked for (an
 * agent, at the word of a page that it read) waits for a person where it would let the agent do more than before. The answer counts for that very change.
 */
export function judgeBuild(run: LoadedRun, call: ToolCall): Judgement {
  if (run.kind !== "agent_edit" || !run.agent || isAskedByOwner(run) || call.name !== EDIT_AGENT_TOOL.name) return { verdict: "build" };
  const approval = run.approvals.get(call.toolCallId);
  const turnedDown = approval && turnedDownText(approval, "change");
  if (turnedDown) return answer(turnedDown);
  const question = widening(run, run.agent, call);
  const isApproved = approval?.status === "approved";
  if (!question || (isApproved && approval.digest === question.digest)) return { verdict: "build" };
  return { verdict: "ask", question: isApproved ? { ...question, reason: CHANGE_CHANGED } : question };
}

const CHANGE_CHANGED = "The change is another one than the one that you were asked about. Nothing was stored.";

/** Whether a person of the account, or a program with its key, asked for the run. */
export function isAskedByOwner(run: Pick<LoadedRun, "origin">): boolean {
  return run.origin === "key" || run.origin === "session";
}

/** The version of the agent on which the model worked out this call. */
export function seenVersion(run: LoadedRun, call: ToolCall): string | null {
  const turn = run.turns.find(({ content }) => content.some((part) => part.type === "tool-call" && part.toolCallId === call.toolCallId));
  return turn?.agentVersionId ?? null;
}

/** The question that a change is; null where it widens nothing, or cannot be stored anyway. */
function widening(run: LoadedRun, agent: LoadedAgent, call: ToolCall): ApprovalQuestion | null {
  if (seenVersion(run, call) !== agent.currentVersionId) return null;
  const checked = checkAgentPatch(call.input, agent);
  const changes = checked.ok ? describeWidening(agent, { ...agent, ...checked.patch }) : [];
  if (!checked.ok || changes.length === 0) return null;
  const change = { agent_id: agent.id, version_id: agent.currentVersionId, patch: JSON.parse(JSON.stringify(checked.patch)) as JsonValue }; // checked JSON
  return {
    kind: "agent_edit",
    summary: `${EDIT_AGENT_TOOL.name}: a change that lets an agent do more than before`,
    reason: "An agent asked for this change, not you, and it would let the agent that is changed do more than before.",
    shown: { tool_kind: null, method: null, target: null, secret_name: null, secret_header: null, definition: null, changes },
    digest: digestOf(change),
  };
}
