import type { ApiClient } from "./api-client";
import { clientOf } from "./client-of";
import { type Run, runShape } from "./shapes";

/** Polls a run until it is terminal and returns it, checked against the contract. */
export async function waitForRun(api: ApiClient, runId: string): Promise<Run> {
  return runShape.parse(await clientOf(api).runs.wait(runId, { timeoutMs: 120_000, pollMs: 40 }));
}
