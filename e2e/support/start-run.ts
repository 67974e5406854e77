import type { ApiClient } from "./api-client";
import { type Run, runShape } from "./shapes";

/** Starts an async run and returns it as accepted; throws when it is not. */
export async function startRun(api: ApiClient, body: Record<string, unknown>): Promise<Run> {
  const response = await api.post("/v1/runs", body);
  if (response.status !== 202) throw new Error(`The run was not accepted: ${response.status} ${response.text}`);
  return response.as(runShape);
}
