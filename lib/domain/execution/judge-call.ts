import "server-only";
import { toCallQuestion } from "@/lib/domain/approvals/to-question";
import type { LoadedRun, StoredApproval } from "@/lib/domain/execution/load-run";
import { runConfig, runTools } from "@/lib/domain/execution/run-tools";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tool-call";
import { guardCall } from "@/lib/model/agent-config/guard-call";
import type { ApprovalQuestion } from "@/lib/model/approval/approval-question";
import { checkArguments } from "@/lib/runtime/tools/check-arguments";
import type { RuntimeTool } from "@/lib/runtime/tools/tool";

/** What becomes of a tool call: it runs, a person is asked first, or the model is answered without running anything. */
export type Judgement =
  | { verdict: "run"; tool: RuntimeTool }
  /** The proposal of a build, which needs no further word. */
  | { verdict: "build" }
  | { verdict: "ask"; question: ApprovalQuestion }
  | { verdict: "answer"; result: ToolResult };

/**
 * Judges one call by what holds now: the agent's tools, its write autonomy and permissions, and what a person has decided about this very call.
 * An approval counts for what was shown: when the tool, or its definition, is another one by now, a person is asked again.
 * A tool that the run does not have is answered, not thrown: the model can do without it.
 */
export async function judgeCall(run: LoadedRun, call: ToolCall, signal: AbortSignal): Promise<Judgement> {
  const approval = run.approvals.get(call.toolCallId);
  const turnedDown = approval && turnedDownText(approval, "call");
  if (turnedDown) return answer(turnedDown);
  const isApproved = approval?.status === "approved";
  // What an MCP server listed minutes ago is not what it would do now: before an approved call it is asked anew.
  const tool = (await runTools(run, signal, { fresh: isApproved })).find((candidate) => candidate.name === call.name);
  if (!tool) return answer(`There is no tool ${JSON.stringify(call.name)} here.`);
  const names = tool.server === undefined ? [tool.name] : [tool.name, tool.server];
  const verdict = guardCall(
    { names, isGuarded: tool.kind === "guarded" },
    run.agent?.writeAutonomy ?? "blocked",
    runConfig(run).permissions,
  );
  if (verdict === "refuse")
    return answer(
      "This agent may not do that: its owner has blocked the tool. Nothing was done. Go on without it, and say so in the answer.",
    );
  const reason = (await tool.reasonToAsk?.(call.input)) ?? null;
  if (verdict === "run" && reason === null) return { verdict: "run", tool };
  // A person is not asked about a call that could not run.
  const misfit = checkArguments(tool, call.input);
  if (misfit) return { verdict: "answer", result: misfit };
  const question = toCallQuestion(tool, call.input, reason);
  if (isApproved && approval.digest === question.digest) return { verdict: "run", tool };
  return { verdict: "ask", question: isApproved ? { ...question, reason: TOOL_CHANGED } : question };
}

const TOOL_CHANGED =
  "The tool has changed since you were asked. What you approved then was not done; what is shown now is what would be done.";

/** What the model is told about something that a person turned down, or did not decide in time; null when neither is so. */
export function turnedDownText({ status, message }: StoredApproval, what: "call" | "change"): string | null {
  const said = message ? ` They said: ${message}` : "";
  if (status === "rejected")
    return `A person rejected this ${what}. Nothing was done.${said} Do not try the same by another way; go on without it, and say so in the answer.`;
  return status === "expired"
    ? `Nobody approved this ${what} in time, so it counts as rejected. Nothing was done. Go on without it, and say so in the answer.`
    : null;
}

/** What the model is told in place of a result. */
export function answer(error: string): Judgement {
  return { verdict: "answer", result: { succeeded: false, output: { error } } };
}
