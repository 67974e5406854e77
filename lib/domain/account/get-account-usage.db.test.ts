import { afterAll, beforeAll, expect, test } from "vitest";
import { getAccountUsage } from "@/lib/domain/account/get-account-usage";
import { rollUpUsage } from "@/lib/domain/account/roll-up-usage";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

/** A charge of so many credits, so many hours ago. */
async function charge(owner: Principal, credits: number, hours: number, runId = newId()): Promise<void> {
  await database.pool.query(
    `INSERT INTO run_usage (run_id, step_key, account_id, model, capability, input_tokens, output_tokens, cached_input_tokens, units, credits_micros, created_at)
     VALUES ($1, $4::text, $2, 'test/m', 'chat', 1, 1, 0, 0, $3, now() - make_interval(hours => $4::int))`,
    [runId, owner.accountId, credits * 1_000_000, String(hours)],
  );
}

test("what an account used is what it was charged in the last 24 hours, and nobody else's; its days go back thirty", async () => {
  const [owner, stranger] = [await database.account(), await database.account()];
  for (const [credits, hours] of [
    [1, 0],
    [2, 23],
    [4, 25],
    [8, 9 * 24],
    [16, 31 * 24],
  ] as const)
    await charge(owner, credits, hours);
  await charge(stranger, 32, 0);
  const call = await getAccountUsage(owner);
  for (let days = 0; days <= 31; days += 6) await rollUpUsage();
  // What has not been added up yet is read call by call; afterwards it is the same.
  for (const usage of [call, await getAccountUsage(owner)]) {
    expect(usage.used24h).toBe(3);
    expect(usage.byModel).toMatchObject([{ model: "test/m", credits: 3, input_tokens: 2 }]);
    expect(usage.byAgent).toMatchObject([{ agent_id: null, credits: 3, runs: 2 }]);
    expect(usage.byDay.reduce((sum, day) => sum + day.credits, 0)).toBe(15);
  }
});

test("each call is added up once, whoever adds and however often, and a run counts with its first call", async () => {
  const owner = await database.account();
  const runId = newId();
  // All later than what other tests have added up.
  await database.pool.query("UPDATE usage_rollups SET until = date_trunc('hour', now() - interval '2 days')");
  await database.pool.query("TRUNCATE usage_hours, usage_days");
  for (const hours of [3, 2, 0]) await charge(owner, 1, hours, runId);
  await Promise.all(Array.from({ length: 5 }, () => rollUpUsage()));
  await rollUpUsage();
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS hours, sum(credits_micros)::int AS micros FROM usage_hours WHERE account_id = $1",
    [owner.accountId],
  );
  expect(rows).toEqual([{ hours: 2, micros: 2_000_000 }]);
  const usage = await getAccountUsage(owner);
  expect(usage.used24h).toBe(3);
  expect(usage.byAgent).toMatchObject([{ credits: 3, runs: 1 }]);
  expect(usage.byDay.reduce((sum, { runs }) => sum + runs, 0)).toBe(1);
});
