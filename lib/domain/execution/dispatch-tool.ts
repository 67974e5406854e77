import "server-only";
import { artifactPort } from "@/lib/domain/execution/artifact-port";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { secretRedactor } from "@/lib/domain/execution/secret-redactor";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tool-call";
import type { RunStep } from "@/lib/domain/execution/with-run-log";
import { workspacePort } from "@/lib/domain/execution/workspace-port";
import { executeTool } from "@/lib/runtime/tools/execute-tool";
import { redactedTool } from "@/lib/runtime/tools/redacted-tool";
import type { RuntimeTool } from "@/lib/runtime/tools/tool";

/** Runs one call of a tool, which `judgeCall` has let pass. No secret of the account is left in what comes back. */
export async function dispatchTool(run: LoadedRun, tool: RuntimeTool, call: ToolCall, step: RunStep): Promise<ToolResult> {
  const { results } = await secretRedactor(run.accountId, run.secrets);
  return executeTool(redactedTool(tool, results.redactInSteps), call.input, {
    runId: run.id,
    accountId: run.accountId,
    toolCallId: call.toolCallId,
    isResumed: call.isResumed,
    signal: step.signal,
    untimed: step.untimed,
    workspace: workspacePort(run),
    artifacts: artifactPort(run, call.toolCallId),
    emit: (event) => step.log.append(event),
    todo: run.todo,
  });
}
