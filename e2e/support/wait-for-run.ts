import type { ApiClient } from "./api-client";
import { type Run, runShape } from "./shapes";
import { until } from "./until";

/** Polls a run until it is terminal and returns it, checked against the contract. */
export function waitForRun(api: ApiClient, runId: string, deadlineMs = 30_000): Promise<Run> {
  return until(
    `the end of run ${runId}`,
    async () => {
      const response = await api.get(`/v1/runs/${runId}`);
      if (response.status !== 200) throw new Error(`The run was answered with ${response.status}: ${response.text}`);
      const run = response.as(runShape);
      return (run.status === "completed" || run.status === "failed" || run.status === "cancelled") && run;
    },
    { deadlineMs },
  );
}
