import type { ApiClient } from "./api-client";
import { type Edit, editShape } from "./shapes";
import { until } from "./until";

/** Polls an edit until it is terminal and returns it, checked against the contract. */
export function waitForEdit(api: ApiClient, agentId: string, runId: string): Promise<Edit> {
  return until(
    `the end of edit ${runId}`,
    async () => {
      const edit = (await api.get(`/v1/agents/${agentId}/edits/${runId}`)).as(editShape);
      return (edit.status === "succeeded" || edit.status === "failed" || edit.status === "cancelled") && edit;
    },
    { deadlineMs: 30_000 },
  );
}
