import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/lib/storage/test-database";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  process.env.DATABASE_URL = database.url; // read once, when the environment first is
  const { postgres } = await import("@/lib/platform/postgres");
  pool = postgres();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test("no statement, no wait for a lock and no idle transaction of the service's connections is without end", async () => {
  const { rows } = await pool.query(
    "SELECT name, setting::int AS ms FROM pg_settings WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY name",
  );
  expect(rows).toEqual([
    { name: "idle_in_transaction_session_timeout", ms: 15_000 },
    { name: "lock_timeout", ms: 10_000 },
    { name: "statement_timeout", ms: 20_000 },
  ]);
});
