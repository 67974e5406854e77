import "server-only";
import { applyBuild } from "@/lib/domain/execution/apply-build";
import { dispatchTool } from "@/lib/domain/execution/dispatch-tool";
import { type LoadedRun, loadRun } from "@/lib/domain/execution/load-run";
import { isBuild, runLimits } from "@/lib/domain/execution/run-limits";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tool-call";
import { type RunStep, withRunLog } from "@/lib/domain/execution/with-run-log";
import { RunFailure } from "@/lib/model/run/run-failure";
import { postgres } from "@/lib/platform/postgres";

/**
 * One tool call of a run: dispatches it, stores its result and shows its markers. Repeated after a crash it returns at once when the result is stored.
 * @returns whether the run has ended with it
 */
export async function callTool(runId: string, turn: number, toolCallId: string): Promise<{ done: boolean }> {
  return withRunLog(runId, { done: true }, async (step) => {
    const run = await loadRun(runId);
    if (run.status !== "running") return { done: true };
    if (run.toolResults.has(toolCallId)) return { done: false };
    const call = findCall(run, turn, toolCallId);
    step.log.append({ type: "tool.started", tool_call_id: toolCallId, name: call.name });
    const result = await withinTime(run, step, (limited) =>
      isBuild(run) ? applyBuild(run, call, limited) : dispatchTool(run, call, limited),
    );
    if (result === "run-ended") return { done: true };
    await storeResult(runId, turn, call, result);
    step.log.append({
      type: "tool.completed",
      tool_call_id: toolCallId,
      name: call.name,
      status: result.succeeded ? "succeeded" : "failed",
    });
    return { done: false };
  });
}

function findCall(run: LoadedRun, turn: number, toolCallId: string): ToolCall {
  const content = run.turns.find((candidate) => candidate.turn === turn)?.content ?? [];
  const part = content.find((candidate) => candidate.type === "tool-call" && candidate.toolCallId === toolCallId);
  if (part?.type !== "tool-call") throw new RunFailure("EXECUTION_FAILED", "A tool call of the run is lost.");
  return { toolCallId, name: part.toolName, input: part.input };
}

/** The run's deadline holds for its tools too. @throws RunFailure TIMEOUT */
async function withinTime<T>(run: LoadedRun, step: RunStep, work: (step: RunStep) => Promise<T>): Promise<T> {
  const timeout = new RunFailure("TIMEOUT", "The run's time limit was reached before it came to an end.");
  const remaining = runLimits(run).deadline.getTime() - Date.now();
  if (remaining <= 0) throw timeout;
  const timer = AbortSignal.timeout(remaining);
  try {
    return await work({ ...step, signal: AbortSignal.any([step.signal, timer]) });
  } catch (error) {
    throw timer.aborted && !step.signal.aborted ? timeout : error;
  }
}

async function storeResult(runId: string, turn: number, call: ToolCall, result: ToolResult): Promise<void> {
  await postgres().query({
    name: "store-tool-result",
    text: `INSERT INTO run_tool_results (run_id, tool_call_id, turn, name, succeeded, output) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (run_id, tool_call_id) DO NOTHING`,
    values: [runId, call.toolCallId, turn, call.name, result.succeeded, toStorable(result.output)],
  });
}

/** JSON that Postgres takes: without NUL characters and lone surrogates, which a tool's output may hold. */
function toStorable(output: unknown): string {
  const text = JSON.stringify(output ?? null);
  return text.replace(/\\u0000/g, "\\ufffd").replace(/\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g, "\\ufffd");
}
