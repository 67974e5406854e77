import { verifyWebhook } from "@/lib/client/lathe-client";
import { startRun, waitForRun } from "../support/runs";
import { readWebhookSecret } from "../support/sessions";
import { expect, test } from "../support/test";
import { until } from "../support/until";

test("a run's end is posted to its webhook, signed, in camelCase, and the run says when", async ({
  account,
  api,
  request,
  script,
  inbox,
  sharedAgent,
}) => {
  const one = await script({ text: "news" });
  const run = await startRun(api, {
    agent_id: sharedAgent.agent_id,
    input: { text: one.mark },
    webhook_url: inbox.url,
  });
  const [call] = await inbox.waitFor(1);
  const secret = await readWebhookSecret(request, account);
  expect(
    await verifyWebhook({ payload: call?.body ?? "", headers: call?.headers ?? {}, secret }),
  ).toEqual({
    runId: run.run_id,
    status: "completed",
    threadId: run.conversation_id,
    conversationId: run.conversation_id,
    result: expect.objectContaining({ text: "news" }),
  });
  expect(call?.headers["webhook-id"]).toBeTruthy();
  expect(call?.headers["webhook-timestamp"]).toMatch(/^\d{10}$/);
  expect(call?.headers["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}=/);
  await until(
    "the delivery to be noted",
    async () => (await api.get(`/v1/runs/${run.run_id}`)).as("Run").webhook_delivered_at,
  );
});

test("a cancelled run's webhook fails as RUN_CANCELLED, while the run says cancelled", async ({
  api,
  script,
  inbox,
}) => {
  const one = await script({ text: "x", hold_first: true });
  const run = await startRun(api, { input: { text: one.mark }, webhook_url: inbox.url });
  await one.waitForCalls(1);
  await api.post(`/v1/runs/${run.run_id}/cancel`);
  const [call] = await inbox.waitFor(1);
  expect(JSON.parse(call?.body ?? "")).toMatchObject({
    runId: run.run_id,
    status: "failed",
    error: { code: "RUN_CANCELLED", message: expect.any(String) },
  });
  expect((await waitForRun(api, run.run_id)).status).toBe("cancelled");
});

test("a receiver that fails at first is called again with the same webhook-id", async ({
  api,
  script,
  inbox,
}) => {
  await inbox.answerWith([{ status: 500 }, { status: 204 }]);
  const one = await script({ text: "x" });
  const run = await startRun(api, { input: { text: one.mark }, webhook_url: inbox.url });
  const calls = await inbox.waitFor(2);
  expect(new Set(calls.map((call) => call.headers["webhook-id"])).size).toBe(1);
  await until(
    "the delivery to be noted",
    async () => (await api.get(`/v1/runs/${run.run_id}`)).as("Run").webhook_delivered_at,
  );
});
