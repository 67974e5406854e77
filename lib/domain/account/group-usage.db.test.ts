import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { groupUsage, USAGE_CALLS_MAX, type UsageQuestion } from "@/lib/domain/account/group-usage";
import { chargeRun } from "@/lib/domain/credits/ledger";
import { createKey } from "@/lib/domain/keys/create-key";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { transaction } from "@/lib/platform/postgres";

let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  owner = await database.account();
});
afterAll(() => database.close());

const today = () => new Date().toISOString().slice(0, 10);
const ask = (groupBy: UsageQuestion["groupBy"], more: Partial<UsageQuestion> = {}, who = owner) =>
  groupUsage(who, { groupBy, from: today(), to: today(), endUser: null, ...more });

/** A call of a run that asks for it, at a price in millionths. */
async function call(
  who: Principal,
  {
    endUser = null as string | null,
    agentId = null as string | null,
    model = "m",
    micros = 1_000_000n,
  } = {},
): Promise<string> {
  const run = await startTestRun(who, { endUser, agentId });
  await transaction((tx) =>
    chargeRun(tx, {
      ...{ runId: run.id, accountId: who.accountId, maxMicros: null, rootId: null, agentId },
      ...{ stepKey: "turn-0", model, capability: "chat", units: 0, micros, keepMicros: 0n },
      ...{ inputTokens: 100, outputTokens: 10, cachedInputTokens: 40 },
    }),
  );
  return run.id;
}

/** The account as a key of its own asks. */
async function byKey(name: string): Promise<Principal & { keyId: string }> {
  const key = await createKey(
    { ...owner, via: "session" },
    { name, agentId: null, expiresAt: null },
  );
  return {
    ...{ ...owner, via: "key", keyId: key.id },
    actor: { kind: "key", id: key.id, label: name, address: null, userAgent: null },
  };
}

test("usage is told by person, key, model, agent and day, and agrees with the ledger", async () => {
  const { id: agentId } = await newAgent(owner);
  const [one, other] = [await byKey("one"), await byKey("other")];
  await call(one, { endUser: "ada", agentId, micros: 1_000_001n });
  await call(one, { endUser: "ada", model: "n", micros: 2n });
  await call(other, { endUser: "bob", micros: 30n });
  await call(owner, { micros: 400n });
  const figures = async (groupBy: UsageQuestion["groupBy"], more?: Partial<UsageQuestion>) =>
    (await ask(groupBy, more)).groups.map(
      ({ credits, runs, inputTokens: _, outputTokens: __, cachedInputTokens: ___, ...by }) => [
        ...Object.values(by),
        credits,
        runs,
      ],
    );
  expect(await figures(["end_user"])).toEqual([
    ["ada", 1.000003, 2],
    [null, 0.0004, 1],
    ["bob", 0.00003, 1],
  ]);
  expect(await figures(["key"])).toEqual([
    [{ id: one.keyId, name: expect.stringMatching(/^one …/) }, 1.000003, 2],
    [null, 0.0004, 1],
    [{ id: other.keyId, name: expect.stringMatching(/^other …/) }, 0.00003, 1],
  ]);
  expect(await figures(["model"])).toEqual([
    ["m", 1.000431, 3],
    ["n", 0.000002, 1],
  ]);
  expect(await figures(["agent"])).toEqual([
    [{ id: agentId, name: "Helper" }, 1.000001, 1],
    [null, 0.000432, 3],
  ]);
  expect(await figures(["day"])).toEqual([[today(), 1.000433, 4]]);
  expect(await figures(["day", "end_user", "model"], { endUser: "ada" })).toEqual([
    [today(), "ada", "m", 1.000001, 1],
    [today(), "ada", "n", 0.000002, 1],
  ]);
  expect((await ask(["day"])).groups).toMatchObject([
    { inputTokens: 400, outputTokens: 40, cachedInputTokens: 160 },
  ]);
  const { rows } = await database.pool.query<{ paid: string }>(
    `SELECT -sum(amount_micros) AS paid FROM ledger_entries WHERE account_id = $1
       AND kind = 'usage'`,
    [owner.accountId],
  );
  expect(Number(rows[0]?.paid) / 1e6).toBe(1.000433);
  expect((await ask(["day"], {}, await database.account())).groups).toEqual([]);
});

test("what a run starts is the same key's", async () => {
  const one = await byKey("one");
  const parent = await startTestRun(one, {});
  const { rows } = await database.pool.query<{ key_id: string | null; origin: string }>(
    "SELECT key_id, origin FROM runs WHERE id = $1",
    [parent.id],
  );
  expect(rows).toEqual([{ key_id: one.keyId, origin: "key" }]);
});

test("calls are added up to their bound, by several too; one more is refused", async () => {
  const add = (calls: number) =>
    database.pool.query(
      `INSERT INTO run_usage (run_id, step_key, account_id, model, capability, input_tokens,
         output_tokens, cached_input_tokens, units, credits_micros)
       SELECT gen_random_uuid(), 'turn-0', $1, 'm', 'chat', 1, 2, 0, 0, 3
       FROM generate_series(1, $2::int)`,
      [owner.accountId, calls],
    );
  await add(USAGE_CALLS_MAX);
  const answers = await Promise.all([ask(["model"]), ask(["day", "model"]), ask(["model"])]);
  for (const { groups } of answers)
    expect(groups).toMatchObject([
      {
        runs: USAGE_CALLS_MAX,
        credits: (USAGE_CALLS_MAX * 3) / 1e6,
        outputTokens: 2 * USAGE_CALLS_MAX,
      },
    ]);
  await add(1);
  await expect(ask(["model"])).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("fewer days"),
  });
});

test("days are those of UTC, and no more of them are added up than may be", async () => {
  const runId = await call(owner);
  await database.pool.query("UPDATE run_usage SET created_at = $2 WHERE run_id = $1", [
    runId,
    "2026-01-31T23:59:59.999Z",
  ]);
  const on = async (from: string, to: string) =>
    (await ask(["day"], { from, to })).groups.map(({ day }) => day);
  expect(await on("2026-01-31", "2026-01-31")).toEqual(["2026-01-31"]);
  expect(await on("2026-02-01", "2026-02-02")).toEqual([]);
  expect(await on("2026-01-01", "2026-01-31")).toEqual(["2026-01-31"]);
  await expect(on("2026-01-01", "2026-02-01")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await expect(on("2026-02-02", "2026-02-01")).rejects.toMatchObject({ code: "INVALID_INPUT" });
});
