import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createMetrics } from "@/lib/platform/metrics/create-metrics";
import { observePool } from "@/lib/platform/metrics/metrics";
import { createTestDatabase } from "@/lib/storage/test-database";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
const pools: pg.Pool[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end();
});
afterAll(() => database.drop());

function observed(max = 1) {
  const made = createMetrics();
  const pool = new pg.Pool({ connectionString: database.url, max });
  pools.push(pool);
  observePool(pool, "main", made);
  const count = async (statement: string) => {
    const text = await made.registry.metrics();
    return Number(
      new RegExp(
        `^lathe_sql_duration_seconds_count\\{statement="${statement}"\\} (\\d+)$`,
        "m",
      ).exec(text)?.[1] ?? 0,
    );
  };
  return { made, pool, count };
}

test("each statement is counted by its name, however made, and gives its result", async () => {
  const { pool, count } = observed();
  const named = { name: "one-row", text: "SELECT $1::int AS n", values: [1] };
  expect((await pool.query(named)).rows).toEqual([{ n: 1 }]);
  const client = await pool.connect();
  expect((await client.query(named)).rows).toEqual([{ n: 1 }]);
  expect((await client.query("SELECT $1::int AS n", [2])).rows).toEqual([{ n: 2 }]);
  await new Promise<void>((resolve) => client.query("SELECT 3", () => resolve()));
  await new Promise<void>((resolve) => client.query("SELECT $1::int", [4], () => resolve()));
  await expect(
    client.query({ name: "broken", text: "SELECT nothing FROM nowhere" }),
  ).rejects.toMatchObject({ code: "42P01" });
  client.release();
  expect([await count("one-row"), await count("other"), await count("broken")]).toEqual([2, 3, 1]);
});

test("names that no code of ours gives make no series", async () => {
  const { pool, count } = observed();
  await pool.query({ name: "s1 SELECT * FROM runs WHERE id = …", text: "SELECT 1" });
  expect(await count("other")).toBe(1);
});

test("connections in use, idle ones and who waits for one are told of each pool", async () => {
  const { made, pool } = observed();
  observePool(pool, "second", made);
  const client = await pool.connect();
  const waiting = pool.connect();
  const lines = async () =>
    (await made.registry.metrics()).split("\n").filter((line) => line.startsWith("lathe_pool"));
  const of = (name: string, [inUse, idle, waits]: number[]) => [
    `lathe_pool_connections{pool="${name}",state="in_use"} ${inUse}`,
    `lathe_pool_connections{pool="${name}",state="idle"} ${idle}`,
    `lathe_pool_connections{pool="${name}",state="waiting"} ${waits}`,
  ];
  expect(await lines()).toEqual([...of("main", [1, 0, 1]), ...of("second", [1, 0, 1])]);
  client.release();
  (await waiting).release();
  expect(await lines()).toEqual([...of("main", [0, 1, 0]), ...of("second", [0, 1, 0])]);
});

test("without metrics a pool stays as it is", async () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  pools.push(pool);
  observePool(pool, "main", null);
  expect(pool.listenerCount("connect")).toBe(0);
});
