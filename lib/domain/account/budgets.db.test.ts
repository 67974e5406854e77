import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { getAccount } from "@/lib/domain/account/get-account";
import { updateAccount } from "@/lib/domain/account/update-account";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import { createKey } from "@/lib/domain/keys/create-key";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { takeSessionBudget } from "@/lib/domain/limits/request-budgets";
import type { Principal } from "@/lib/domain/principal";
import { sweepOldRows } from "@/lib/domain/sweep-old-rows";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";

const folder = mkdtempSync(join(tmpdir(), "lathe-domain-"));

let database: DomainDatabase;
let owner: Principal;
let apiKey: string;

beforeAll(async () => {
  database = await openDomainDatabase({ env: { DATA_DIR: folder, SESSION_LIMIT_PER_MINUTE: "5" } });
});
beforeEach(async () => {
  owner = await database.account();
  ({ apiKey } = await createKey(owner, { name: "k", agentId: null, expiresAt: null }));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const byKey = async (kind: "read" | "run" = "read") =>
  (await authenticateKey(apiKey, "account", kind))?.budget;
const bySession = async (kind: "read" | "run" = "read") =>
  (await takeSessionBudget(owner.accountId, kind)).budget;
const write = (cap = 2) => consumeWriteQuota(database.pool, { ...owner, writePerHour: cap });
const times = <T>(count: number, work: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, work));

/** Lets the clock of the account's windows go on by so many seconds. */
async function pass(table: "minute_buckets" | "hour_buckets", seconds: number): Promise<void> {
  await database.pool.query(
    `UPDATE ${table} SET window_started_at = window_started_at - make_interval(secs => $2)
     WHERE key LIKE '%' || $1`,
    [owner.accountId, seconds],
  );
}

describe("a session's budget", () => {
  test("is counted exactly under concurrency, and apart from that of keys", async () => {
    const budgets = await times(12, () => bySession());
    expect(budgets.filter(({ exceeded }) => !exceeded)).toHaveLength(5);
    expect(budgets.map(({ remaining }) => remaining).sort()).toEqual([
      0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4,
    ]);
    expect(await byKey()).toMatchObject({ limit: 30, remaining: 29, exceeded: false });
  });

  test("starts of runs count with those of the account's keys", async () => {
    await updateAccount(owner, { caps: {}, runsPerMinute: 3 });
    expect(await byKey("run")).toMatchObject({ limit: 3, remaining: 2 });
    const starts = await times(4, () => bySession("run"));
    expect(starts.filter(({ exceeded }) => !exceeded)).toHaveLength(2);
    expect(starts.every(({ limit }) => limit === 3)).toBe(true);
    expect(await byKey("run")).toMatchObject({ exceeded: true });
    expect(await bySession()).toMatchObject({ limit: 5, remaining: 0, exceeded: false });
  });

  test("without an override a start counts against the one budget; reading not", async () => {
    await bySession("run");
    await bySession();
    expect(await byKey()).toMatchObject({ limit: 30, remaining: 28 });
  });

  test("a start refused by the sessions' budget does not count against the account's", async () => {
    await times(5, () => bySession());
    await times(10, () => bySession("run"));
    expect(await byKey()).toMatchObject({ remaining: 29 });
  });

  test("the account's writes an hour are those of its keys", async () => {
    expect(await takeSessionBudget(owner.accountId, "read")).toMatchObject({ writePerHour: 30 });
    await updateAccount(owner, { writePerHour: 7 });
    expect(await takeSessionBudget(owner.accountId, "read")).toMatchObject({ writePerHour: 7 });
  });
});

describe("windows end when their time is over, and not before, whatever is swept", () => {
  test.each([
    ["a key's minute", () => byKey(), 30],
    ["a session's minute", () => bySession(), 5],
  ])("%s", async (_, ask, limit) => {
    await times(limit, ask);
    await pass("minute_buckets", 30);
    await sweepOldRows();
    expect(await ask()).toMatchObject({ exceeded: true });
    await pass("minute_buckets", 30);
    await sweepOldRows();
    expect(await ask()).toMatchObject({ exceeded: false, remaining: limit - 1, resetSeconds: 60 });
  });

  test("an account's hour of writes", async () => {
    await write();
    await write();
    await pass("hour_buckets", 3000);
    await sweepOldRows();
    const refused = await write().catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "RATE_LIMITED",
      extras: { retryAfterSeconds: expect.any(Number) },
    });
    await pass("hour_buckets", 600);
    await sweepOldRows();
    await write();
    await write();
    await expect(write()).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  test("rows of ended windows are swept away", async () => {
    await Promise.all([byKey(), bySession(), write()]);
    await pass("minute_buckets", 3600);
    await pass("hour_buckets", 3 * 3600);
    await sweepOldRows();
    for (const table of ["minute_buckets", "hour_buckets"])
      expect(
        (
          await database.pool.query(`SELECT 1 FROM ${table} WHERE key LIKE '%' || $1`, [
            owner.accountId,
          ])
        ).rowCount,
      ).toBe(0);
  });
});

test.each([
  [
    "one budget for all requests",
    {},
    { requestsPerMinute: 30, readPerMinute: null, runsPerMinute: null, writesPerHour: 30 },
  ],
  [
    "reading set",
    { readPerMinute: 7 },
    { requestsPerMinute: null, readPerMinute: 7, runsPerMinute: 30, writesPerHour: 30 },
  ],
  [
    "starts set",
    { runsPerMinute: 8 },
    { requestsPerMinute: null, readPerMinute: 30, runsPerMinute: 8, writesPerHour: 30 },
  ],
  [
    "all set",
    { readPerMinute: 7, runsPerMinute: 8, writePerHour: 9 },
    { requestsPerMinute: null, readPerMinute: 7, runsPerMinute: 8, writesPerHour: 9 },
  ],
])("an account shows the limits that hold for it: %s", async (_, changes, limits) => {
  await updateAccount(owner, changes);
  expect((await getAccount(owner)).limits).toEqual(limits);
});

test("an operator is told the account after the change; credits go by the ledger", async () => {
  const ledger = async () =>
    (
      await database.pool.query(
        `SELECT kind, amount_micros::float8 AS micros FROM ledger_entries WHERE account_id = $1
         ORDER BY created_at, id`,
        [owner.accountId],
      )
    ).rows;
  const begun = await ledger();
  const whole = {
    ...{
      account_id: owner.accountId,
      email: expect.stringContaining("@"),
      name: expect.any(String),
    },
    ...{ admin: false, super_agent: false, blocked: false, credits: 100_000 },
    ...{
      read_per_minute: null,
      runs_per_minute: null,
      write_per_hour: null,
      max: {},
      runs_at_work: null,
    },
  };
  expect(await updateAccount(owner, {})).toEqual(whole);
  expect(await ledger()).toEqual(begun);
  const changes = {
    name: "Crew",
    isAdmin: true,
    superAgentAccess: true,
    blocked: true,
    readPerMinute: 1,
    runsPerMinute: 2,
    writePerHour: 3,
  };
  const changed = {
    ...whole,
    ...{ name: "Crew", admin: true, super_agent: true, blocked: true, credits: 100_002.5 },
    ...{
      read_per_minute: 1,
      runs_per_minute: 2,
      write_per_hour: 3,
      max: { keys: 4, agents: 5 },
      runs_at_work: 6,
    },
  };
  expect(
    await updateAccount(owner, {
      ...changes,
      addCredits: 2.5,
      caps: { keys: 4, agents: 5 },
      runsAtWork: 6,
    }),
  ).toEqual(changed);
  expect(await updateAccount(owner, { caps: { keys: null } })).toEqual({
    ...changed,
    max: { agents: 5 },
  });
  expect(await updateAccount(owner, { credits: 10, addCredits: 7, runsAtWork: null })).toEqual({
    ...changed,
    ...{ credits: 10, max: { agents: 5 }, runs_at_work: null },
  });
  await updateAccount(owner, { credits: 10 });
  expect(await ledger()).toEqual([
    ...begun,
    { kind: "grant", micros: 2_500_000 },
    { kind: "adjustment", micros: -99_992_500_000 },
  ]);
  const none = { code: "NOT_FOUND" };
  await expect(updateAccount({ ...owner, accountId: newId() }, {})).rejects.toMatchObject(none);
  await expect(updateAccount({ ...owner, userId: newId() }, {})).rejects.toMatchObject(none);
});

test("a new password, a block and losing the flag alone end a user's sessions", async () => {
  const version = async () =>
    (
      await database.pool.query("SELECT session_version AS version FROM users WHERE id = $1", [
        owner.userId,
      ])
    ).rows[0].version;
  const ended: number[] = [];
  for (const changes of [
    { name: "n", credits: 1, blocked: false },
    { isAdmin: false },
    { isAdmin: true },
    { name: "m" },
    { blocked: true },
    { password: "a-new-password" },
    { isAdmin: false },
  ]) {
    const before = await version();
    await updateAccount(owner, changes);
    ended.push((await version()) - before);
  }
  expect(ended).toEqual([0, 0, 0, 0, 1, 1, 1]);
});
