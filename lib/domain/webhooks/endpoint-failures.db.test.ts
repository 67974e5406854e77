import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createEndpoint, requireEndpoint } from "@/lib/domain/events/endpoints";
import { mailNotification } from "@/lib/domain/notifications/mail-notification";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { attemptDelivery } from "@/lib/domain/webhooks/attempt-delivery";
import { newId } from "@/lib/platform/ids";
import type { Mail } from "@/lib/platform/mail/create-mailer";

const settings = {
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
  SMTP_URL: "smtp://127.0.0.1:1",
  MAIL_FROM: "lathe@example.test",
  EGRESS_ALLOW: "127.0.0.1:9",
};

let database: DomainDatabase;
let owner: Principal;
beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
});
beforeEach(async () => {
  owner = await database.account();
  await database.pool.query("UPDATE users SET email_verified_at = now() WHERE account_id = $1", [
    owner.accountId,
  ]);
});
afterAll(() => database.close());

const URL_OF_RECEIVER = "http://127.0.0.1:9/events";

/** An endpoint at which nothing has arrived for so long; null: as far as anybody knows all does. */
async function failingFor(interval: string | null): Promise<string> {
  const draft = { url: URL_OF_RECEIVER, events: ["*" as const], description: null, enabled: true };
  const { endpoint } = await createEndpoint(owner, draft);
  await database.pool.query(
    "UPDATE webhook_endpoints SET failing_since = now() - $2::interval WHERE id = $1",
    [endpoint.id, interval],
  );
  return endpoint.id;
}

/** One more attempt at it, which the receiver answers so. */
async function attempt(endpointId: string, status: number): Promise<void> {
  const id = newId();
  await database.pool.query(
    `INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, event_type, url, status,
       payload)
     VALUES ($1, $2, $3, $1, 'run.completed', $4, 'pending', '{}')`,
    [id, owner.accountId, endpointId, URL_OF_RECEIVER],
  );
  const answer = { headers: new Headers(), body: new Uint8Array(), ended: "complete" as const };
  await attemptDelivery(id, 0, { fetch: async () => ({ ...answer, status, url: "" }) });
}

async function notifications() {
  const { rows } = await database.pool.query<{ id: string; title: string; path: string }>(
    "SELECT id, title, path FROM notifications WHERE account_id = $1",
    [owner.accountId],
  );
  return rows;
}

test("an endpoint silent for five days is switched off, and its owner mailed once", async () => {
  const id = await failingFor("5 days 1 second");
  await attempt(id, 500);
  expect(await requireEndpoint(owner, id)).toMatchObject({
    enabled: false,
    disabledAt: expect.any(Date),
  });
  await attempt(id, 500);
  const [told, ...others] = await notifications();
  expect(others).toEqual([]);
  expect(told).toMatchObject({ title: "A webhook endpoint was switched off", path: "/webhooks" });
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close() {} };
  expect(await mailNotification(told?.id ?? "", mailer)).toBe(true);
  expect(await mailNotification(told?.id ?? "", mailer)).toBe(false);
  expect(sent).toMatchObject([{ subject: "A webhook endpoint was switched off" }]);
  expect(sent[0]?.text).toContain("/webhooks");
  const { rows } = await database.pool.query(
    "SELECT 1 FROM audit_events WHERE account_id = $1 AND action = 'webhook_endpoint.disabled'",
    [owner.accountId],
  );
  expect(rows).toHaveLength(1);
});

test("one that fails for less, or got something meanwhile, stays on, untold", async () => {
  const young = await failingFor("4 days 23 hours");
  await attempt(young, 500);
  expect(await requireEndpoint(owner, young)).toMatchObject({ enabled: true, disabledAt: null });
  const mended = await failingFor("6 days");
  await attempt(mended, 204);
  expect(await requireEndpoint(owner, mended)).toMatchObject({ enabled: true, failingSince: null });
  await attempt(mended, 500);
  expect(await requireEndpoint(owner, mended)).toMatchObject({ enabled: true });
  const fresh = await failingFor(null);
  await attempt(fresh, 500);
  expect(await requireEndpoint(owner, fresh)).toMatchObject({
    enabled: true,
    failingSince: expect.any(Date),
  });
  expect(await notifications()).toEqual([]);
});
