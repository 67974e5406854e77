import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { readData } from "@/lib/domain/execution/read-data";
import { isAgentRun, type RunLimits } from "@/lib/domain/execution/run-limits";
import type { RunStep } from "@/lib/domain/execution/with-run-log";
import { listRunArtifacts } from "@/lib/domain/runs/list-run-artifacts";
import { settleRun } from "@/lib/domain/runs/settle-run";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { RunFailure } from "@/lib/model/run/run-failure";

/**
 * Ends a run as completed: the text of its last message, its artifacts, and where the config has an `output_schema` the data that the text says.
 * @returns false when that text does not fit the schema and the model is to be asked again
 * @throws RunFailure EXECUTION_FAILED when it does not fit and no step is left
 */
export async function completeRun(run: LoadedRun, limits: RunLimits, step: RunStep): Promise<boolean> {
  const text = lastText(run);
  const schema = outputSchema(run);
  const output = schema ? readData(text, schema) : null;
  if (output && !output.ok) {
    if (run.turns.length < limits.maxSteps) return false;
    throw new RunFailure("EXECUTION_FAILED", `The answer does not fit the agent's output_schema: ${output.problem}`);
  }
  await step.log.flush();
  const result = {
    text,
    ...(run.agent && { agent_id: run.agent.id, agent_name: run.agent.name }),
    artifacts: await listRunArtifacts(run.id),
    ...(output && { data: output.data }),
  };
  await settleRun(run.id, { status: "completed", result }, step.log.fence);
  return true;
}

/** The schema that a run's last message must fit; null without one. */
export function outputSchema(run: LoadedRun) {
  return run.agent && isAgentRun(run) ? effectiveConfig(run.agent.config).output_schema : null;
}

/** The text of the run's last turn that spoke. */
export function lastText(run: Pick<LoadedRun, "turns">): string {
  for (const turn of run.turns.toReversed()) {
    const part = turn.content.find((candidate) => candidate.type === "text");
    if (part?.type === "text") return part.text;
  }
  return "";
}
