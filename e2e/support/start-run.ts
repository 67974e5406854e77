import type { ApiClient } from "./api-client";
import { clientOf } from "./client-of";
import { type Run, runShape } from "./shapes";

type Body = Parameters<ReturnType<typeof clientOf>["runs"]["create"]>[0];

/** Starts an async run and returns it as accepted, checked against the contract; throws when it is not accepted. */
export async function startRun(api: ApiClient, body: Record<string, unknown>): Promise<Run> {
  return runShape.parse(await clientOf(api).runs.create(body as Body)); // a test may send what the document does not allow
}
