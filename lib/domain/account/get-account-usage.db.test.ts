import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccountUsage, getAccountUsage } from "@/lib/domain/account/get-account-usage";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { toCredits } from "@/lib/model/run/usage";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

interface Charge {
  credits: number;
  /** Hours ago. */
  hours: number;
  runId?: string;
  /** The how-manieth call of its run. */
  turn?: number;
  model?: string;
  agentId?: string | null;
}

async function charge(
  owner: Principal,
  { credits, hours, runId = newId(), turn = 0, model = "test/m", agentId = null }: Charge,
): Promise<void> {
  await database.pool.query(
    `INSERT INTO run_usage (run_id, step_key, account_id, agent_id, model, capability, input_tokens, output_tokens, cached_input_tokens, units, credits_micros, created_at)
     VALUES ($1, $2, $3, $4, $5, 'chat', 3, 2, 1, 0, $6, now() - make_interval(secs => $7))`,
    [runId, `turn-${turn}`, owner.accountId, agentId, model, Math.round(credits * 1_000_000), hours * 3600],
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
    await charge(owner, { credits, hours });
  await charge(stranger, { credits: 32, hours: 0 });
  const usage = await getAccountUsage(owner);
  expect(usage.used24h).toBe(3);
  expect(usage.byModel).toMatchObject([{ model: "test/m", credits: 3 }]);
  expect(usage.byAgent).toMatchObject([{ agent_id: null, credits: 3, runs: 2 }]);
  expect(usage.byDay.reduce((sum, day) => sum + day.credits, 0)).toBe(15);
});

/** The same answer from the charges themselves, one by one. */
const BY_ROWS = `
WITH recent AS (SELECT * FROM run_usage WHERE account_id = $1 AND created_at > now() - interval '24 hours')
SELECT (SELECT coalesce(sum(credits_micros), 0)::float8 FROM recent) AS used,
  (SELECT jsonb_agg(m ORDER BY m.micros DESC, m.model) FROM (SELECT model, sum(credits_micros)::bigint AS micros, sum(input_tokens)::bigint AS input_tokens,
     sum(output_tokens)::bigint AS output_tokens FROM recent GROUP BY model) m) AS by_model,
  (SELECT jsonb_agg(g) FROM (SELECT agent_id, sum(credits_micros)::bigint AS micros, count(DISTINCT run_id)::int AS runs FROM recent GROUP BY agent_id) g) AS by_agent,
  (SELECT jsonb_agg(d ORDER BY d.day) FROM (SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, sum(credits_micros)::bigint AS micros,
     count(DISTINCT run_id)::int AS runs FROM run_usage WHERE account_id = $1 AND created_at > now() - interval '30 days' GROUP BY 1) d) AS by_day`;

type Money = { micros: number };
const paid = <T extends Money>({ micros, ...rest }: T) => ({ ...rest, credits: toCredits(micros) });
const sorted = <T>(rows: readonly T[]) => rows.map((row) => JSON.stringify(row, Object.keys(row as object).sort())).sort();

async function expectEqualToRows(owner: Principal): Promise<AccountUsage> {
  const [usage, { rows }] = [await getAccountUsage(owner), await database.pool.query(BY_ROWS, [owner.accountId])];
  expect(usage.used24h).toBe(toCredits(rows[0].used));
  expect(sorted(usage.byModel)).toEqual(sorted((rows[0].by_model ?? []).map(paid)));
  expect(sorted(usage.byAgent.map(({ agent_name: _, ...row }) => row))).toEqual(sorted((rows[0].by_agent ?? []).map(paid)));
  expect(sorted(usage.byDay)).toEqual(sorted((rows[0].by_day ?? []).map(paid)));
  return usage;
}

/** Runs of up to four charges over up to thirty hours, about the edges of hours, days and windows. */
async function chargeMuch(owner: Principal): Promise<void> {
  const agents = [null, newId(), newId()];
  for (let run = 0; run < 300; run++) {
    const begun = (run * 7.31) % (32 * 24);
    const runId = newId();
    const agentId = agents[run % agents.length] ?? null;
    for (let turn = 0; turn <= run % 4; turn++) {
      const hours = begun - turn * ((run % 11) * 0.9);
      if (hours >= 0) await charge(owner, { credits: 0.001 * (run + 1), hours, runId, turn, agentId, model: `test/m${turn % 2}` });
    }
  }
}

test("the sums give what the charges themselves give, runs counted once however many hours and days they cross", async () => {
  const owner = await database.account();
  await chargeMuch(owner);
  const crossings = await database.pool.query("SELECT 1 FROM usage_crossings WHERE account_id = $1", [owner.accountId]);
  expect(crossings.rowCount).toBeGreaterThan(50);
  const usage = await expectEqualToRows(owner);
  expect(usage.byDay.length).toBeGreaterThan(25);
});

test("the migration adds up what was charged before it", async () => {
  const owner = await database.account();
  await chargeMuch(owner);
  const sums = () => database.pool.query("SELECT * FROM usage_hours ORDER BY account_id, hour, agent_id, model");
  const crossings = () => database.pool.query("SELECT * FROM usage_crossings ORDER BY account_id, charged_at, run_id, step_key");
  const [before, crossed] = [(await sums()).rows, (await crossings()).rows];
  await database.pool.query("TRUNCATE usage_hours, usage_crossings");
  const folder = new URL("../../../prisma/migrations/20261122122130_life_of_data_and_books/migration.sql", import.meta.url);
  const sql = await readFile(folder, "utf8");
  await database.pool.query(sql.slice(sql.indexOf("-- What was charged before.")));
  expect((await sums()).rows).toEqual(before);
  expect((await crossings()).rows).toEqual(crossed);
  await expectEqualToRows(owner);
});
