import "server-only";
import type { RunView } from "@/lib/domain/runs/run-view";
import { isTerminal } from "@/lib/model/run/run-status";
import type { ChildRun } from "@/lib/runtime/tools/super-agent/agents-port";

/** What a super-agent's model is told of a run that it started. */
export function toChildRun(run: RunView): ChildRun {
  return {
    run_id: run.id,
    status: run.status,
    ...(run.agentId && { agent_id: run.agentId }),
    ...(run.result && { text: run.result.text, ...(run.result.agent_name && { agent_name: run.result.agent_name }) }),
    ...(run.result?.data !== undefined && { data: run.result.data as ChildRun["status"] }), // stored as JSON
    ...(run.result && run.result.artifacts.length > 0 && { artifacts: run.result.artifacts.map(({ id, title }) => ({ id, title })) }),
    ...(run.error && { error: run.error.message, error_code: run.error.code }),
    ...(isTerminal(run.status) && { credits: run.usage.credits }),
    ...(!isTerminal(run.status) && { note: noteFor(run) }),
  };
}

function noteFor(run: RunView): string {
  if (run.requiresAction) return "The run waits for a person's approval. Say so in your answer.";
  return "The run has not ended. Call read_run with its run_id to wait for it.";
}
