import "server-only";
import type { LoadedRun, StoredApproval } from "@/lib/domain/execution/load-run";
import { runConfig, runTools } from "@/lib/domain/execution/run-tools";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tool-call";
import { guardCall } from "@/lib/model/agent-config/guard-call";
import { checkArguments } from "@/lib/runtime/tools/check-arguments";
import type { RuntimeTool } from "@/lib/runtime/tools/tool";

/** What becomes of a tool call: it runs, a person is asked first, or the model is answered without running anything. */
export type Judgement =
  | { verdict: "run"; tool: RuntimeTool }
  | { verdict: "ask"; tool: RuntimeTool }
  | { verdict: "answer"; result: ToolResult };

/**
 * Judges one call by what holds now: the agent's tools, its write autonomy and permissions, and what a person has decided about this very call.
 * A tool that the run does not have is answered, not thrown: the model can do without it.
 */
export async function judgeCall(run: LoadedRun, call: ToolCall, signal: AbortSignal): Promise<Judgement> {
  const approval = run.approvals.get(call.toolCallId);
  const turnedDown = approval && turnedDownText(approval);
  if (turnedDown) return answer(turnedDown);
  const tool = (await runTools(run, signal)).find((candidate) => candidate.name === call.name);
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
  if (verdict === "run" || approval?.status === "approved") return { verdict: "run", tool };
  // A person is not asked about a call that could not run.
  const misfit = checkArguments(tool, call.input);
  return misfit ? { verdict: "answer", result: misfit } : { verdict: "ask", tool };
}

function turnedDownText({ status, message }: StoredApproval): string | null {
  const said = message ? ` They said: ${message}` : "";
  if (status === "rejected")
    return `A person rejected this call. Nothing was done.${said} Do not try the same by another way; go on without it, and say so in the answer.`;
  return status === "expired"
    ? "Nobody approved this call in time, so it counts as rejected. Nothing was done. Go on without it, and say so in the answer."
    : null;
}

function answer(error: string): Judgement {
  return { verdict: "answer", result: { succeeded: false, output: { error } } };
}
