import type { Run } from "@/lib/client/schemas";
import type { ApiClient } from "../support/api-client";
import { expectError } from "../support/expect-answers";
import type { ModelScript, ScriptTurn } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";
import { UNKNOWN_ID } from "../support/unknown-ids";
import { until } from "../support/until";

const MADE = { title: "Report", name: "report.md", type: "text/markdown", content: "# Report" };
const MAKES_TWO: ScriptTurn[] = [
  { tool_calls: [1, 2].map(() => ({ name: "artifacts", args: MADE, fill: true })) },
  { text: "The answer is 42." },
];

type RegisterScript = (...turns: ScriptTurn[]) => Promise<ModelScript>;

async function runWithFiles(
  api: ApiClient,
  script: RegisterScript,
  more: Record<string, unknown> = {},
): Promise<Run> {
  const { mark } = await script(...MAKES_TWO);
  return waitForRun(api, (await startRun(api, { input: { text: mark }, ...more })).run_id);
}

test("a deleted run is gone with its events, files, messages and delivery; its cost stays", async ({
  newAccount,
  anonymous,
  script,
  inbox,
}) => {
  const { api } = await newAccount();
  const run = await runWithFiles(api, script, { webhook_url: inbox.url });
  await until(
    "the delivery",
    async () => (await api.get(`/v1/runs/${run.run_id}`)).as("Run").webhook_delivered_at,
  );
  const urls = (run.result?.artifacts ?? []).map(({ url }) => new URL(url));
  expect(urls).toHaveLength(2);
  for (const url of urls) expect((await anonymous.get(url.pathname + url.search)).status).toBe(200);
  const usage = (await api.get("/v1/account/usage")).json() as { used_24h: number };
  expect(usage.used_24h).toBeGreaterThan(0);

  const answer = await api.delete(`/v1/runs/${run.run_id}`);
  expect([answer.status, answer.text]).toEqual([204, ""]);
  for (const path of [`/v1/runs/${run.run_id}`, `/v1/runs/${run.run_id}/events`])
    expectError(await api.get(path), 404, "RUN_NOT_FOUND");
  expectError(await api.delete(`/v1/runs/${run.run_id}`), 404, "RUN_NOT_FOUND");
  for (const url of urls)
    expectError(await anonymous.get(url.pathname + url.search), 404, "NOT_FOUND");
  for (const path of ["/v1/runs", `/v1/webhook-deliveries?run_id=${run.run_id}`])
    expect((await api.get(path)).json()).toMatchObject({ data: [] });
  expect((await api.get(`/v1/conversations/${run.conversation_id}`)).json()).toMatchObject({
    messages: [],
    active_run_id: null,
  });
  expect((await api.get("/v1/account/usage")).json()).toMatchObject({ used_24h: usage.used_24h });
});

test("a run at work is not deleted: 409, and it goes on; once it was cancelled it can be", async ({
  api,
  script,
}) => {
  const held = await script({ hold_first: true, text: "later" });
  const { run_id } = await startRun(api, { input: { text: held.mark } });
  await until("the model call", async () => (await held.calls()).length > 0);
  expectError(await api.delete(`/v1/runs/${run_id}`), 409, "CONFLICT");
  expect((await api.get(`/v1/runs/${run_id}`)).as("Run").status).toBe("running");
  expect((await api.post(`/v1/runs/${run_id}/cancel`)).status).toBe(202);
  // Its step lets go of it within a second.
  await until(
    "the run to be deleted",
    async () => (await api.delete(`/v1/runs/${run_id}`)).status === 204,
  );
});

test("a deleted artifact's link stops working and its run lists the other one only", async ({
  api,
  anonymous,
  script,
}) => {
  const run = await runWithFiles(api, script);
  const [gone, kept] = run.result?.artifacts ?? [];
  const answer = await api.delete(`/v1/artifacts/${gone?.id}`);
  expect([answer.status, answer.text]).toEqual([204, ""]);
  const urls = [gone, kept].map((artifact) => new URL(artifact?.url ?? ""));
  const statuses = await Promise.all(
    urls.map(async (url) => (await anonymous.get(url.pathname + url.search)).status),
  );
  expect(statuses).toEqual([404, 200]);
  const after = (await api.get(`/v1/runs/${run.run_id}`)).as("Run");
  expect(after.result?.artifacts.map(({ id }) => id)).toEqual([kept?.id]);
  expect(after.result?.text).toBe("The answer is 42.");
  expectError(await api.delete(`/v1/artifacts/${gone?.id}`), 404, "NOT_FOUND");
  expectError(await api.delete(`/v1/artifacts/${UNKNOWN_ID}`), 404, "NOT_FOUND");
  expectError(await api.delete("/v1/artifacts/none"), 400, "INVALID_INPUT");
});
