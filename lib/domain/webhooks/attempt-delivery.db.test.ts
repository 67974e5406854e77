import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import {
  attemptDelivery,
  failDelivery,
  giveUpDelivery,
} from "@/lib/domain/webhooks/attempt-delivery";
import { requireDelivery, toWebhookSpan } from "@/lib/domain/webhooks/deliveries";
import { newId } from "@/lib/platform/ids";

const settings = {
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
};

let database: DomainDatabase;
let owner: Principal;
beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
});
beforeEach(async () => {
  owner = await database.account();
});
afterAll(() => database.close());

async function pending(): Promise<string> {
  const id = newId();
  await database.pool.query(
    `INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload, round)
     VALUES ($1, $2, $3, 'https://example.com/hook', 'pending', '{}', 1)`,
    [id, newId(), owner.accountId],
  );
  return id;
}

test("what fails on our side ends its pending delivery with one attempt that says so", async () => {
  const [id, other] = [await pending(), await pending()];
  await failDelivery(id, 0);
  expect(await requireDelivery(owner, id)).toMatchObject({ status: "pending", attempts: [] });
  await failDelivery(id, 1);
  await failDelivery(id, 1);
  const error = "The delivery failed on our side and was given up. Send it again.";
  const { status, attempts } = await requireDelivery(owner, id);
  expect([status, attempts]).toEqual([
    "failed",
    [
      {
        deliveryId: id,
        attempt: 1,
        at: expect.any(Date),
        statusCode: null,
        durationMs: 0,
        error,
        responseBody: null,
      },
    ],
  ]);
  expect(await requireDelivery(owner, other)).toMatchObject({ status: "pending", attempts: [] });
});

test("a delivery is given up in its own round only, and without an attempt", async () => {
  const id = await pending();
  await giveUpDelivery(id, 0);
  expect(await requireDelivery(owner, id)).toMatchObject({ status: "pending" });
  await giveUpDelivery(id, 1);
  expect(await requireDelivery(owner, id)).toMatchObject({ status: "failed", attempts: [] });
});

test.each([
  [199, "retry", "pending"],
  [200, "delivered", "delivered"],
  [299, "delivered", "delivered"],
  [300, "retry", "pending"],
  [410, "stop", "pending"],
])("an answer of %s means %s, and the delivery is %s", async (code, outcome, status) => {
  const id = await pending();
  const fetch = vi.fn(async () => ({
    status: code,
    headers: new Headers(),
    body: new Uint8Array(),
    ended: "complete" as const,
    url: "",
  }));
  expect(await attemptDelivery(id, 0, { fetch })).toEqual({ outcome: "stop" });
  expect(fetch).not.toHaveBeenCalled();
  const times = [0, 0, 0, 250].map((ms) => new Date(Date.UTC(2026, 0, 31) + ms));
  const answer = await attemptDelivery(id, 1, {
    fetch,
    now: () => times.shift() ?? new Date(Date.UTC(2026, 0, 31) + 250),
  });
  expect(answer.outcome).toBe(outcome);
  const delivery = await requireDelivery(owner, id);
  expect(delivery.status).toBe(status);
  expect(delivery.attempts).toMatchObject([
    { attempt: 1, statusCode: code, durationMs: 250, at: new Date(Date.UTC(2026, 0, 31)) },
  ]);
});

const AT = new Date("2026-01-31T12:00:00Z");
test.each([
  [{ status_code: 199 }, "failed", "The receiver answered 199."],
  [{ status_code: 200 }, "succeeded", null],
  [{ status_code: 299 }, "succeeded", null],
  [{ status_code: 300 }, "failed", "The receiver answered 300."],
  [{ status_code: null, error: "gone" }, "failed", "gone"],
  [{ at: null, attempt: null, status_code: null }, "running", null],
])("the span of an attempt with %o has %s", (more, status, message) => {
  const row = {
    delivery_id: "d",
    delivery_status: "pending",
    url: "u",
    created_at: new Date(0),
    attempt: 2,
    at: AT,
    duration_ms: 50,
    error: null,
  } as const;
  const span = toWebhookSpan({ ...row, ...more });
  const isMade = status !== "running";
  expect(span).toMatchObject({
    spanId: isMade ? "webhook-d-2" : "webhook-d-0",
    startedAt: isMade ? AT : new Date(0),
    endedAt: isMade ? new Date(AT.getTime() + 50) : null,
    status,
    error: message === null ? null : { code: "DELIVERY_FAILED", message },
  });
});
