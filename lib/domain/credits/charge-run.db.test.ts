import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { chargeRun, releaseHold } from "@/lib/domain/credits/ledger";
import type { Principal } from "@/lib/domain/principal";
import type { RunView } from "@/lib/domain/runs/run-view";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startTestRun } from "@/lib/domain/test/start-test-run";

let database: DomainDatabase;
let owner: Principal;
let run: RunView;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  owner = await database.account();
  run = await startTestRun(owner);
});
afterAll(() => database.close());

type Charge = Parameters<typeof chargeRun>[1];

function charge(micros: bigint, more: Partial<Charge> = {}): Promise<bigint> {
  const tokens = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, units: 0 };
  const payer = { runId: run.id, accountId: owner.accountId, maxMicros: null, rootId: null };
  const call = {
    agentId: null,
    stepKey: "turn-0",
    model: "m",
    capability: "chat" as const,
    micros,
    keepMicros: 0n,
  };
  return chargeRun(database.pool, { ...payer, ...tokens, ...call, ...more });
}

async function books() {
  const { rows } = await database.pool.query(
    `SELECT available_micros AS available,
       (SELECT coalesce(sum(amount_micros), 0) FROM credit_holds WHERE account_id = a.id) AS held,
       (SELECT coalesce(sum(credits_micros), 0) FROM run_usage WHERE account_id = a.id) AS used,
       (SELECT coalesce(sum(price_micros), 0) FROM run_usage WHERE account_id = a.id) AS priced,
       (SELECT coalesce(sum(amount_micros), 0) FROM ledger_entries
        WHERE account_id = a.id) AS ledger FROM accounts a WHERE id = $1`,
    [owner.accountId],
  );
  const { available, held, used, priced, ledger } = rows[0];
  return {
    available: BigInt(available),
    held: BigInt(held),
    used: BigInt(used),
    priced: BigInt(priced),
    ledger: BigInt(ledger),
  };
}

/** Leaves the account with so much in its wallet and in the run's hold, and nothing else. */
async function has(available: bigint, held: bigint): Promise<void> {
  await database.pool.query("UPDATE credit_holds SET amount_micros = $2 WHERE run_id = $1", [
    run.id,
    held,
  ]);
  await database.pool.query("UPDATE accounts SET available_micros = $2 WHERE id = $1", [
    owner.accountId,
    available,
  ]);
}

test("a call is paid from the hold, whose rest goes back but what the run keeps", async () => {
  await has(100n, 50n);
  expect(await charge(20n, { keepMicros: 10n })).toBe(20n);
  expect(await books()).toMatchObject({ available: 120n, held: 10n, used: 20n, priced: 20n });
});

test("a call that costs more than the hold is paid from the wallet too", async () => {
  await has(100n, 50n);
  expect(await charge(70n)).toBe(70n);
  expect(await books()).toMatchObject({ available: 80n, held: 0n, used: 70n, priced: 70n });
});

test("what neither hold nor wallet covers is not charged, and is seen by the price", async () => {
  await has(30n, 50n);
  expect(await charge(100n)).toBe(80n);
  expect(await books()).toMatchObject({ available: 0n, held: 0n, used: 80n, priced: 100n });
});

test("what is beyond the run's own limit is not charged, whatever the wallet holds", async () => {
  await has(100n, 50n);
  expect(await charge(60n, { maxMicros: 90n })).toBe(60n);
  await has(100n, 50n);
  expect(await charge(60n, { maxMicros: 90n, stepKey: "turn-1" })).toBe(30n);
  expect(await books()).toMatchObject({ used: 90n, priced: 120n });
});

test("one call is paid once, whatever it is said to cost the second time", async () => {
  await has(100n, 50n);
  await charge(20n);
  const after = await books();
  expect(await charge(40n)).toBe(20n);
  expect(await books()).toEqual(after);
  expect(await charge(5n, { stepKey: "turn-1" })).toBe(5n);
});

test("a run without a hold pays nothing, and a repeated release gives nothing", async () => {
  await has(100n, 50n);
  for (const _ of [1, 2]) await releaseHold(database.pool, run.id);
  expect(await books()).toMatchObject({ available: 150n, held: 0n });
  expect(await charge(20n)).toBe(0n);
  expect(await books()).toMatchObject({ available: 150n, used: 0n });
});

test("nobody's call is paid by another account's hold", async () => {
  const stranger = await database.account();
  await has(100n, 50n);
  expect(await charge(20n, { accountId: stranger.accountId })).toBe(0n);
  expect(await books()).toMatchObject({ available: 100n, held: 50n, used: 0n });
});

test("every charge stands in the ledger as it was paid", async () => {
  const { ledger } = await books();
  await has(30n, 50n);
  await charge(100n);
  expect((await books()).ledger).toBe(ledger - 80n);
});
