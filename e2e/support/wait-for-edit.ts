import type { ApiClient } from "./api-client";
import { clientOf } from "./client-of";
import { type Edit, editShape } from "./shapes";
import { waitForRun } from "./wait-for-run";

/** Waits until an edit is terminal and returns it, checked against the contract. */
export async function waitForEdit(api: ApiClient, agentId: string, runId: string): Promise<Edit> {
  await waitForRun(api, runId);
  const path = { agent_id: agentId, run_id: runId };
  return editShape.parse(await clientOf(api).get("/v1/agents/{agent_id}/edits/{run_id}", { params: { path } }));
}
