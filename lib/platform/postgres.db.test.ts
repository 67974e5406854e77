import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onOwnConnection, postgres } from "@/lib/platform/postgres";
import { TEST_VARIABLES } from "@/lib/platform/test/test-service";
import { createService, holdService, type Service } from "@/lib/service";
import { createTestDatabase } from "@/lib/storage/test-database";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let service: Service;
let release: () => void;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  service = createService({ ...TEST_VARIABLES, DATABASE_URL: database.url });
  release = holdService(service);
  pool = postgres();
});
afterAll(async () => {
  await service.close();
  release();
  await database.drop();
});

test("no statement, wait for a lock or idle transaction of the service is endless", async () => {
  const { rows } = await pool.query(
    `SELECT name, setting::int AS ms FROM pg_settings
     WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')
     ORDER BY name`,
  );
  expect(rows).toEqual([
    { name: "idle_in_transaction_session_timeout", ms: 15_000 },
    { name: "lock_timeout", ms: 10_000 },
    { name: "statement_timeout", ms: 20_000 },
  ]);
});

test("an operator's long work has no end but its own, whatever the limits", async () => {
  const { rows } = await pool.query<{ name: string }>("SELECT current_database() AS name");
  await pool.query(`ALTER DATABASE "${rows[0]?.name}" SET statement_timeout = '100ms'`);
  await pool.query(
    `ALTER DATABASE "${rows[0]?.name}" SET idle_in_transaction_session_timeout = '100ms'`,
  );
  const { query_timeout, statement_timeout } = pool.options;
  Object.assign(pool.options, { query_timeout: 100, statement_timeout: 100 });
  try {
    expect(
      await onOwnConnection(
        async (client) => (await client.query("SELECT pg_sleep(0.3), 1 AS done")).rows,
      ),
    ).toMatchObject([{ done: 1 }]);
    // Of what it leaves open nothing stays.
    await onOwnConnection((client) => client.query("BEGIN; CREATE TABLE left_open ()"));
    await expect(
      onOwnConnection((client) => client.query("SELECT 1 FROM left_open")),
    ).rejects.toThrow("does not exist");
  } finally {
    Object.assign(pool.options, { query_timeout, statement_timeout });
  }
});
