import "server-only";
import { artifactPort } from "@/lib/domain/execution/artifact-port";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { readTodo } from "@/lib/domain/execution/read-todo";
import { runTools } from "@/lib/domain/execution/run-tools";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tool-call";
import type { RunStep } from "@/lib/domain/execution/with-run-log";
import { workspacePort } from "@/lib/domain/execution/workspace-port";
import { executeTool } from "@/lib/runtime/tools/execute-tool";

/** Runs one call of an agent's tool. A tool that the run does not have is answered, not thrown: the model can do without it. */
export async function dispatchTool(run: LoadedRun, call: ToolCall, step: RunStep): Promise<ToolResult> {
  const tool = runTools(run).find((candidate) => candidate.name === call.name);
  if (!tool) return { succeeded: false, output: { error: `There is no tool ${JSON.stringify(call.name)} here.` } };
  return executeTool(tool, call.input, {
    runId: run.id,
    toolCallId: call.toolCallId,
    signal: step.signal,
    workspace: workspacePort(run),
    artifacts: artifactPort(run, call.toolCallId),
    emit: (event) => step.log.append(event),
    todo: await readTodo(run),
  });
}
