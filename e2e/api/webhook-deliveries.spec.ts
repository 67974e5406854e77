import type { Schemas } from "../support/api-document";
import { expectError, expectSameAnswer } from "../support/expect-answers";
import { startRun } from "../support/runs";
import { test as base, expect } from "../support/test";
import { MALFORMED_IDS, UNKNOWN_ID } from "../support/unknown-ids";
import { until } from "../support/until";

type Delivery = Schemas["WebhookDelivery"];

/** The delivery of a run that ended with a webhook, once it has `status`. */
const test = base.extend<{ delivered: (status: Delivery["status"]) => Promise<Delivery> }>({
  delivered: async ({ api, script, inbox }, use) =>
    use(async (status) => {
      const one = await script({ text: "x" });
      const run = await startRun(api, { input: { text: one.mark }, webhook_url: inbox.url });
      return until(`the delivery to be ${status}`, async () => {
        const { data } = (
          await api.get("/v1/webhook-deliveries", { query: { run_id: run.run_id } })
        ).as("WebhookDeliveryPage");
        return data[0]?.status === status && data[0];
      });
    }),
});

test("a delivery is listed by run and status, and fetched with its attempts", async ({
  api,
  inbox,
  delivered,
}) => {
  await inbox.answerWith([{ status: 200, body: "é".repeat(3000) }]);
  const delivery = await delivered("delivered");
  expect(delivery).toMatchObject({
    url: inbox.url,
    attempts: [{ attempt: 1, status_code: 200, error: null }],
  });
  expect(delivery.attempts[0]?.response_body?.length).toBeGreaterThan(0);
  expect(Buffer.byteLength(delivery.attempts[0]?.response_body ?? "")).toBeLessThanOrEqual(2048);
  expect(
    (await api.get(`/v1/webhook-deliveries/${delivery.delivery_id}`)).as("WebhookDelivery"),
  ).toEqual(delivery);
  const query = { run_id: delivery.run_id ?? "", status: "failed" };
  expect((await api.get("/v1/webhook-deliveries", { query })).json()).toMatchObject({
    data: [],
    has_more: false,
  });
});

test("410 ends a delivery; a redelivery is 202, has the same id, and goes on counting", async ({
  api,
  inbox,
  delivered,
}) => {
  await inbox.answerWith([{ status: 410 }, { status: 204 }]);
  const failed = await delivered("failed");
  expect(failed.attempts).toHaveLength(1);
  const again = await api.post(`/v1/webhook-deliveries/${failed.delivery_id}/redeliver`);
  expect(again.status).toBe(202);
  expect(again.as("WebhookDelivery")).toMatchObject({
    delivery_id: failed.delivery_id,
    run_id: failed.run_id,
  });
  const calls = await inbox.waitFor(2);
  expect(new Set(calls.map((call) => call.headers["webhook-id"])).size).toBe(1);
  await until("the redelivery", async () => {
    const delivery = (await api.get(`/v1/webhook-deliveries/${failed.delivery_id}`)).as(
      "WebhookDelivery",
    );
    return (
      delivery.status === "delivered" &&
      delivery.attempts.map((attempt) => attempt.attempt).join() === "1,2"
    );
  });
});

test("bad filters and ids are 400, and somebody else's delivery looks like a missing one", async ({
  api,
  stranger,
  delivered,
}) => {
  for (const query of [
    { status: "lost" },
    { status: "" },
    { run_id: "42" },
    { limit: "0" },
    { limit: "101" },
    { cursor: "x" },
  ])
    expectError(
      await api.get("/v1/webhook-deliveries", { query }),
      400,
      "INVALID_INPUT",
      Object.keys(query)[0],
    );
  for (const id of MALFORMED_IDS)
    expectError(await api.get(`/v1/webhook-deliveries/${id}`), 400, "INVALID_INPUT");
  const { delivery_id: id, run_id } = await delivered("delivered");
  const path = (delivery: string) => `/v1/webhook-deliveries/${delivery}`;
  expectSameAnswer(await stranger.api.get(path(id)), await stranger.api.get(path(UNKNOWN_ID)), 404);
  expectSameAnswer(
    await stranger.api.post(`${path(id)}/redeliver`),
    await stranger.api.post(`${path(UNKNOWN_ID)}/redeliver`),
    404,
  );
  expect(
    (await stranger.api.get("/v1/webhook-deliveries", { query: { run_id: run_id ?? "" } })).json(),
  ).toMatchObject({ data: [] });
  expectError(await api.get(path(UNKNOWN_ID)), 404, "DELIVERY_NOT_FOUND");
});
