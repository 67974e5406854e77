import { afterAll, beforeAll, expect, test } from "vitest";
import { getAccountUsage } from "@/lib/domain/account/get-account-usage";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

/** A charge of so many credits, so many hours ago. */
async function charge(owner: Principal, credits: number, hours: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO run_usage (run_id, step_key, account_id, model, capability, input_tokens, output_tokens, cached_input_tokens, units, credits_micros, created_at)
     VALUES ($1, '1', $2, 'test/m', 'chat', 1, 1, 0, 0, $3, now() - make_interval(hours => $4))`,
    [newId(), owner.accountId, credits * 1_000_000, hours],
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
  const usage = await getAccountUsage(owner);
  expect(usage.used24h).toBe(3);
  expect(usage.byModel).toMatchObject([{ model: "test/m", credits: 3 }]);
  expect(usage.byAgent).toMatchObject([{ agent_id: null, credits: 3, runs: 2 }]);
  expect(usage.byDay.reduce((sum, day) => sum + day.credits, 0)).toBe(15);
});
