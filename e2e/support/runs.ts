import { test } from "@playwright/test";
import type { EditRun, Run } from "@/lib/client/schemas";
import { type ApiClient, typedClient } from "./api-client";
import { parseServed } from "./api-document";

type RunBody = Parameters<ReturnType<typeof typedClient>["runs"]["create"]>[0];

/**
 * Starts an async run and returns it as accepted, checked against the contract; throws when it is
 * not accepted.
 */
export async function startRun(api: ApiClient, body: Record<string, unknown>): Promise<Run> {
  // A test may send what the document does not allow.
  return parseServed(api, "Run", await typedClient(api).runs.create(body as RunBody));
}

/**
 * Polls a run until it is terminal and returns it, checked against the contract. A test that fails
 * shows why a run of its had failed.
 */
export async function waitForRun(api: ApiClient, runId: string): Promise<Run> {
  const run = await parseServed(
    api,
    "Run",
    await typedClient(api).runs.wait(runId, { timeoutMs: 120_000, pollMs: 40 }),
  );
  if (run.error) await attachError(run);
  return run;
}

async function attachError({ run_id, error }: Run): Promise<void> {
  const body = JSON.stringify(error, null, 2);
  await test.info().attach(`error of run ${run_id}`, { body, contentType: "text/plain" });
}

/** Waits until an edit is terminal and returns it, checked against the contract. */
export async function waitForEdit(
  api: ApiClient,
  agentId: string,
  runId: string,
): Promise<EditRun> {
  await waitForRun(api, runId);
  const path = { agent_id: agentId, run_id: runId };
  return parseServed(
    api,
    "EditRun",
    await typedClient(api).get("/v1/agents/{agent_id}/edits/{run_id}", { params: { path } }),
  );
}

/**
 * A run's `input` object whose JSON is exactly `bytes` long in UTF-8, ending in `end`, and as
 * multi-byte as it can be when asked.
 */
export function inputOfBytes(
  bytes: number,
  { multiByte = false, end = "" } = {},
): { text: string } {
  const room = bytes - Buffer.byteLength(JSON.stringify({ text: end }));
  const text = multiByte
    ? "ü".repeat(Math.floor(room / 2)) + "a".repeat(room % 2)
    : "a".repeat(room);
  return { text: text + end };
}
