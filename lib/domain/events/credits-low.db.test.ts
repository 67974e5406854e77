import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createEndpoint } from "@/lib/domain/events/endpoints";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";

const settings = {
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
  EGRESS_ALLOW: "127.0.0.1:9",
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

const CREDIT_MICROS = 1_000_000;

async function haveCredits(credits: number): Promise<void> {
  await database.pool.query("UPDATE accounts SET available_micros = $2 WHERE id = $1", [
    owner.accountId,
    Math.round(credits * CREDIT_MICROS),
  ]);
}

async function events() {
  const { rows } = await database.pool.query<{ id: string; data: unknown }>(
    `SELECT id, data FROM account_events WHERE account_id = $1 AND type = 'account.credits_low'
     ORDER BY id`,
    [owner.accountId],
  );
  return rows;
}

async function bell() {
  const { rows } = await database.pool.query<{ title: string; path: string; body: string }>(
    `SELECT n.title, n.path, n.body FROM notifications n
     JOIN engine_events e ON e.name = 'notification/created'
       AND e.data::jsonb ->> 'notification_id' = n.id::text
     WHERE n.account_id = $1 ORDER BY n.id`,
    [owner.accountId],
  );
  return rows;
}

test("credits that fall to a hundred are told once a day, to listeners and the bell", async () => {
  const draft = { url: "http://127.0.0.1:9/events", description: null, enabled: true };
  await createEndpoint(owner, { ...draft, events: ["account.credits_low"] });
  await createEndpoint(owner, { ...draft, events: ["run.completed"] });
  await haveCredits(500);
  await haveCredits(100.000001);
  expect(await events()).toEqual([]);
  await haveCredits(100);
  const [event, ...others] = await events();
  expect(others).toEqual([]);
  expect(event?.data).toEqual({ available_credits: 100 });
  const { rows } = await database.pool.query(
    "SELECT event_id, event_type FROM webhook_deliveries WHERE account_id = $1",
    [owner.accountId],
  );
  expect(rows).toEqual([{ event_id: event?.id, event_type: "account.credits_low" }]);
  // Holds are taken and given back around the bound.
  await haveCredits(300);
  await haveCredits(20);
  expect(await events()).toHaveLength(1);
  await database.pool.query(
    "UPDATE accounts SET credits_low_at = now() - interval '25 hours' WHERE id = $1",
    [owner.accountId],
  );
  await haveCredits(300);
  await haveCredits(99.5);
  expect((await events()).map(({ data }) => data)).toEqual([
    { available_credits: 100 },
    { available_credits: 99.5 },
  ]);
  expect(await bell()).toEqual(
    ["100", "99.5"].map((left) => ({
      title: "The account's credits run low",
      path: "/usage",
      body: expect.stringContaining(`${left} credits are left`),
    })),
  );
});

test("a fall that is undone tells nobody", async () => {
  await haveCredits(500);
  const client = await database.pool.connect();
  await client.query("BEGIN");
  await client.query("UPDATE accounts SET available_micros = 1 WHERE id = $1", [owner.accountId]);
  await client.query("ROLLBACK");
  client.release();
  expect(await events()).toEqual([]);
  expect(await bell()).toEqual([]);
});
