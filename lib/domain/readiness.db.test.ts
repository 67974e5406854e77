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

const works = { isEngineAlive: () => true, isEngineRegistered: () => true };
const OK = { database: "ok", engine: "ok", registration: "ok" };

test("it is ready while database, engine and registration are there, and says which one is missing", async () => {
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

test("a database that can be read but not written is missing, until it takes writes again; a write is tried each ten seconds at most", async () => {
  let now = 0;
  const query = vi.spyOn(pool, "query");
  const writes = () =>
    query.mock.calls.filter(([text]) => String(text).startsWith("CREATE")).length;
  const check = new ReadinessCheck({ ...works, database: pool, now: () => now });
  const state = async () => (await check.check()).checks.database;
  expect([await state(), await state(), writes()]).toEqual(["ok", "ok", 1]);
  await pool.query("SET default_transaction_read_only = on");
  now += 9_999;
  expect([await state(), writes()]).toEqual(["ok", 1]);
  now += 1;
  expect([await state(), await state(), writes()]).toEqual(["down", "down", 2]);
  await pool.query("SET default_transaction_read_only = off");
  now += 10_000;
  expect(await Promise.all([state(), state(), state()])).toEqual(["ok", "ok", "ok"]);
  expect(writes()).toBe(3);
});

test("the write leaves nothing behind", async () => {
  const tables = "SELECT count(*)::int AS count FROM pg_class WHERE relkind = 'r'";
  const { rows: before } = await pool.query(tables);
  await new ReadinessCheck({ ...works, database: pool }).check();
  expect((await pool.query(tables)).rows).toEqual(before);
});

test("where the operator's database gives no temporary tables, that it can be read has to do", async () => {
  await pool.query("CREATE ROLE without_temp");
  await pool.query(
    "DO $$ BEGIN EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()); END $$",
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
