import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ReadinessCheck } from "@/lib/domain/readiness";
import { createTestDatabase } from "@/lib/storage/test-database";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const works = {
  isEngineAlive: () => true,
  isEngineRegistered: () => true,
  waitingLanes: () => [] as string[],
};
const OK = { database: "ok", engine: "ok", registration: "ok", lanes: "ok" };

test("it is ready while database, engine and registration are, and says which is not", async () => {
  const parts = { ...works, database: pool };
  expect(await new ReadinessCheck(parts).check()).toEqual({ status: "ready", checks: OK });
  const without = async (missing: Partial<typeof works>) =>
    (await new ReadinessCheck({ ...parts, ...missing }).check()) as unknown;
  expect(await without({ isEngineAlive: () => false })).toEqual({
    status: "not_ready",
    checks: { ...OK, engine: "down" },
  });
  expect(await without({ isEngineRegistered: () => false })).toEqual({
    status: "not_ready",
    checks: { ...OK, registration: "down" },
  });
  const broken = () => {
    throw new Error("cannot be asked");
  };
  expect(await without({ isEngineAlive: broken })).toEqual({
    status: "not_ready",
    checks: { ...OK, engine: "down" },
  });
});

test("a database that is away or does not answer is missing", async () => {
  const away = {
    query: () => Promise.reject(new Error("connect ECONNREFUSED")),
  } as unknown as pg.Pool; // of a pool only `query` is asked
  const silent = { query: () => new Promise(() => {}) } as unknown as pg.Pool;
  for (const each of [away, silent])
    expect((await new ReadinessCheck({ ...works, database: each }).check()).checks).toEqual({
      ...OK,
      database: "down",
    });
});

test("a database that takes no writes is missing, and back two seconds after it does", async () => {
  let now = 0;
  const query = vi.spyOn(pool, "query");
  const writes = () =>
    query.mock.calls.filter(([text]) => String(text).startsWith("CREATE")).length;
  const check = new ReadinessCheck({ ...works, database: pool, now: () => now });
  const state = async () => (await check.check()).checks.database;
  expect([await state(), await state(), writes()]).toEqual(["ok", "ok", 1]);
  await pool.query("SET default_transaction_read_only = on");
  now = 7_999;
  expect([await state(), writes()]).toEqual(["ok", 1]);
  now = 10_000;
  expect([await state(), await state(), writes()]).toEqual(["down", "down", 2]);
  await pool.query("SET default_transaction_read_only = off");
  now = 12_000;
  expect(await Promise.all([state(), state(), state()])).toEqual(["ok", "ok", "ok"]);
  expect(writes()).toBe(3);
});

test("however many ask, the database is asked once in two seconds", async () => {
  let now = 0;
  const check = new ReadinessCheck({ ...works, database: pool, now: () => now });
  const query = vi.spyOn(pool, "query").mockClear();
  for (now = 0; now < 4_000; now += 100) await Promise.all([check.check(), check.check()]);
  const pings = query.mock.calls.filter(([text]) => String(text) === "SELECT 1");
  expect(pings).toHaveLength(2);
});

test("a lane that takes nothing while a run waits is named; held ones not", async () => {
  let now = 0;
  const check = new ReadinessCheck({
    ...works,
    waitingLanes: () => ["runs"],
    database: pool,
    now: () => now,
  });
  const after = async (ms: number) => {
    now += ms;
    const { status, stalled_lanes = [] } = await check.check();
    return [status, stalled_lanes];
  };
  const add = (id: number, key: string, owner: number | null) =>
    pool.query(
      `INSERT INTO engine_runs (id, function_id, event_id, lane, key, queued, owner)
       VALUES ($1, 'f', 'e', 'runs', $2, $3, $4)`,
      [`00000000-0000-4000-8000-00000000000${id}`, key, owner === null, owner],
    );
  const READY = ["ready", []];
  const STALLED = ["not_ready", ["runs"]];
  await add(1, "busy", 7);
  await add(2, "busy", null);
  expect([await after(0), await after(60_000)]).toEqual([READY, READY]);
  await add(3, "idle", null);
  expect([await after(2_000), await after(29_000)]).toEqual([READY, READY]);
  expect(await after(2_000)).toEqual(STALLED);
  // It was taken, and waits again.
  await pool.query("UPDATE engine_runs SET attempt = attempt + 1 WHERE key = 'idle'");
  expect([await after(2_000), await after(29_000)]).toEqual([READY, READY]);
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("BEGIN; SELECT 1 FROM engine_runs WHERE key = 'idle' FOR UPDATE");
  expect(await after(2_000)).toEqual(READY);
  await holder.end();
  await expect.poll(() => after(2_000)).toEqual(STALLED);
  await pool.query("DELETE FROM engine_runs WHERE key = 'idle'");
  expect(await after(2_000)).toEqual(READY);
});

test("the write leaves nothing behind", async () => {
  const tables = "SELECT count(*)::int AS count FROM pg_class WHERE relkind = 'r'";
  const { rows: before } = await pool.query(tables);
  await new ReadinessCheck({ ...works, database: pool }).check();
  expect((await pool.query(tables)).rows).toEqual(before);
});

test("where the database gives no temporary tables, that it can be read does", async () => {
  await pool.query("CREATE ROLE without_temp");
  await pool.query(
    "DO $$ BEGIN EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', " +
      "current_database()); END $$",
  );
  await pool.query("SET ROLE without_temp");
  try {
    expect(await new ReadinessCheck({ ...works, database: pool }).check()).toEqual({
      status: "ready",
      checks: OK,
    });
  } finally {
    await pool.query("RESET ROLE");
    await pool.query("DROP ROLE without_temp");
  }
});
