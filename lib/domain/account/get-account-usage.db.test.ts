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
async function charge(
  owner: Principal,
  credits: number,
  hours: number,
  runId = newId(),
): Promise<void> {
  await database.pool.query(
    `INSERT INTO run_usage (run_id, step_key, account_id, model, capability, input_tokens,
       output_tokens, cached_input_tokens, units, credits_micros, created_at)
     VALUES ($1, $4::text, $2, 'test/m', 'chat', 1, 1, 0, 0, $3,
       now() - make_interval(hours => $4::int))`,
    [runId, owner.accountId, credits * 1_000_000, String(hours)],
  );
}

test("usage is the account's own charges of 24 hours; its days go back thirty", async () => {
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

test("each call is added up once, whoever adds, and a run by its first call", async () => {
  const owner = await database.account();
  const runId = newId();
  // All later than what other tests have added up.
  await database.pool.query(
    "UPDATE usage_rollups SET until = date_trunc('hour', now() - interval '2 days')",
  );
  await database.pool.query("TRUNCATE usage_hours, usage_days");
  for (const hours of [3, 2, 0]) await charge(owner, 1, hours, runId);
  await Promise.all(Array.from({ length: 5 }, () => rollUpUsage()));
  await rollUpUsage();
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS hours, sum(credits_micros)::int AS micros FROM usage_hours
     WHERE account_id = $1`,
    [owner.accountId],
  );
  expect(rows).toEqual([{ hours: 2, micros: 2_000_000 }]);
  const usage = await getAccountUsage(owner);
  expect(usage.used24h).toBe(3);
  expect(usage.byAgent).toMatchObject([{ credits: 3, runs: 1 }]);
  expect(usage.byDay.reduce((sum, { runs }) => sum + runs, 0)).toBe(1);
});

/** A charge of so many credits at a time that SQL tells. */
async function chargeAt(
  owner: Principal,
  credits: number,
  at: string,
  runId = newId(),
  stepKey = "turn-0",
): Promise<void> {
  await database.pool.query(
    `INSERT INTO run_usage (run_id, step_key, account_id, model, capability, input_tokens,
       output_tokens, cached_input_tokens, units, credits_micros, created_at)
     VALUES ($1, $4, $2, 'test/m', 'chat', 10, 20, 0, 0, $3, ${at})`,
    [runId, owner.accountId, credits * 1_000_000, stepKey],
  );
}
const NOTHING_YET = "TRUNCATE run_usage, usage_hours, usage_days, usage_rollups";

test("a call on the edge of an hour or a day is counted once, added up or not", async () => {
  const owner = await database.account();
  await database.pool.query(NOTHING_YET);
  const runId = newId();
  for (const stepKey of ["turn-0", "turn-1"])
    await chargeAt(
      owner,
      0.5,
      "date_trunc('hour', now() - interval '24 hours', 'UTC') + interval '1 hour'",
      runId,
      stepKey,
    );
  await chargeAt(owner, 2, "date_trunc('hour', now() - interval '10 minutes', 'UTC')");
  await chargeAt(owner, 4, "now() - interval '24 hours' + interval '5 minutes'");
  await chargeAt(owner, 8, "now() - interval '24 hours' - interval '1 second'");
  await chargeAt(
    owner,
    16,
    "date_trunc('day', now() - interval '30 days', 'UTC') - interval '1 second'",
  );
  const before = await getAccountUsage(owner);
  for (let days = 0; days <= 31; days += 6) await rollUpUsage();
  // Older than all that is added up: of no window.
  await chargeAt(owner, 32, "now() - interval '40 days'");
  for (const usage of [before, await getAccountUsage(owner)]) {
    expect(usage).toMatchObject({
      available: 100_000,
      used24h: 7,
      byModel: [{ model: "test/m", credits: 7, input_tokens: 40, output_tokens: 80 }],
      byAgent: [{ agent_id: null, agent_name: null, credits: 7, runs: 3 }],
    });
    expect(
      usage.byDay.reduce(
        (sum, { credits, runs }) => [(sum[0] ?? 0) + credits, (sum[1] ?? 0) + runs],
        [0, 0],
      ),
    ).toEqual([15, 4]);
    expect(usage.byDay.map(({ day }) => day)).toEqual(usage.byDay.map(({ day }) => day).sort());
  }
});

test("of the thirtieth day before today what was added up is told whole", async () => {
  const owner = await database.account();
  await database.pool.query(NOTHING_YET);
  await chargeAt(owner, 1, "date_trunc('day', now() - interval '30 days', 'UTC')");
  for (let days = 0; days <= 31; days += 6) await rollUpUsage();
  expect((await getAccountUsage(owner)).byDay).toEqual([
    { day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), credits: 1, runs: 1 },
  ]);
});

test("six days are added up at once, and of the hours the last 48 are kept", async () => {
  const owner = await database.account();
  await database.pool.query(NOTHING_YET);
  await rollUpUsage();
  expect((await database.pool.query("SELECT 1 FROM usage_rollups")).rowCount).toBe(0);
  await chargeAt(owner, 1, "date_trunc('hour', now()) - interval '200 hours'");
  await rollUpUsage();
  const until = `SELECT extract(epoch FROM until - (SELECT min(created_at) FROM run_usage))::int /
       3600 AS hours
     FROM usage_rollups`;
  expect((await database.pool.query(until)).rows).toEqual([{ hours: 144 }]);

  await database.pool.query(NOTHING_YET);
  for (let hours = 60; hours >= 0; hours -= 1)
    await chargeAt(
      owner,
      1,
      `date_trunc('hour', now() - interval '10 minutes') - interval '${hours} hours'`,
    );
  await rollUpUsage();
  const { rows } = await database.pool.query(
    `SELECT extract(epoch FROM (SELECT until FROM usage_rollups) - hour)::int / 3600 AS ago,
       credits_micros::int AS micros, input_tokens::int, output_tokens::int, runs
     FROM usage_hours ORDER BY hour DESC`,
  );
  expect(rows).toEqual(
    Array.from({ length: 48 }, (_, n) => ({
      ago: n + 1,
      micros: 1_000_000,
      input_tokens: 10,
      output_tokens: 20,
      runs: 1,
    })),
  );
  expect(
    (
      await database.pool.query(
        "SELECT sum(credits_micros)::int AS micros, sum(runs)::int AS runs FROM usage_days",
      )
    ).rows,
  ).toEqual([{ micros: 60_000_000, runs: 60 }]);
});
