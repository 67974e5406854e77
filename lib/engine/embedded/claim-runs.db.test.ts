import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { claimRuns } from "@/lib/engine/embedded/run-store";
import { type EngineDatabase, openEngineDatabase } from "@/lib/engine/test/engine-database";
import { newId } from "@/lib/platform/ids";
import { inTransaction, type Queryable } from "@/lib/platform/postgres";

let database: EngineDatabase;

beforeAll(async () => {
  database = await openEngineDatabase();
  await database.pool.query("INSERT INTO engine_events (id, name, data) VALUES ('e', 't/x', '{}')");
});
beforeEach(() => database.pool.query("DELETE FROM engine_runs"));
afterAll(() => database.close());

const OWNER = 7;
const LIMITS = [{ function_id: "f", first: 2, second: 3 }];
const FREE = 4;

interface Runs {
  key: string;
  count: number;
  secondKey?: string;
  isAtWork?: boolean;
  firstTurn?: number;
}

/** Runs of one key, one turn after the other. */
async function put({ key, count, secondKey, isAtWork = false, firstTurn = 0 }: Runs) {
  await database.pool.query(
    `INSERT INTO engine_runs (id, function_id, event_id, lane, key, second_key, turn, since, queued,
       owner)
     SELECT gen_random_uuid(), 'f', 'e', 'main', $1, $2, $5::int + n, now() + n * interval '1 ms',
       NOT $4, CASE WHEN $4 THEN 1 END
     FROM generate_series(1, $3::int) n`,
    [key, secondKey ?? null, count, isAtWork, firstTurn],
  );
}

/** The keys of the runs that a claim takes, in its order. */
async function take(on: Queryable = database.pool, free = FREE): Promise<string[]> {
  const { claims } = await claimRuns(on, "main", OWNER, free, LIMITS);
  const { rows } = await on.query<{ id: string; key: string }>(
    "SELECT id, key FROM engine_runs WHERE owner = $1",
    [OWNER],
  );
  const keys = new Map(rows.map(({ id, key }) => [id, key]));
  return claims.map(({ runId }) => keys.get(runId) ?? "");
}

test("what waits behind a full key is found, however many of its runs precede", async () => {
  await put({ key: "full", count: 2, isAtWork: true });
  await put({ key: "full", count: 100 });
  await put({ key: "late", count: 3, firstTurn: 500 });
  await put({ key: "later", count: 1, firstTurn: 502 });
  expect(await take()).toEqual(["late", "late", "later"]);
  expect(await take()).toEqual([]);
});

test("a key has several runs taken up at once, in turn, and none beyond its limit", async () => {
  await put({ key: "a", count: 40 });
  await put({ key: "b", count: 1, firstTurn: 5 });
  expect(await take()).toEqual(["a", "a", "b"]);
});

test("a full second key holds up the runs that have it, no others of the first", async () => {
  await put({ key: "elsewhere", secondKey: "host", count: 3, isAtWork: true });
  await put({ key: "a", secondKey: "host", count: 60 });
  await put({ key: "a", secondKey: "another", count: 1, firstTurn: 100 });
  expect(await take()).toEqual(["a"]);
  const { rows } = await database.pool.query(
    "SELECT second_key FROM engine_runs WHERE owner = $1",
    [OWNER],
  );
  expect(rows).toEqual([{ second_key: "another" }]);
});

test("keys whose runs a full second key holds up take no place of others", async () => {
  await put({ key: "elsewhere", secondKey: "host", count: 3, isAtWork: true });
  for (let index = 0; index < 30; index += 1)
    await put({ key: `held-${index}`, secondKey: "host", count: 2 });
  await put({ key: "late", count: 1, firstTurn: 100 });
  expect(await take()).toEqual(["late"]);
});

test("behind a full key, keys are counted until enough have room, not all", async () => {
  await put({ key: "full", count: 2, isAtWork: true });
  await put({ key: "full", count: 30 });
  for (let index = 0; index < 100; index += 1)
    await put({ key: `key-${index}`, count: 2, firstTurn: 200 + 10 * ((index * 37) % 100) });

  const counted = await inTransaction(database.pool, async (client) => {
    await client.query("SET LOCAL track_functions = 'pl'");
    // In their turn, wherever their names stand: 73 times 37 is 1 more than whole hundreds.
    expect(await take(client)).toEqual(["key-0", "key-0", "key-73", "key-73"]);
    const { rows } = await client.query(
      `SELECT pg_stat_get_xact_function_calls('engine_at_work'::regproc)::int AS calls`,
    );
    return rows[0].calls;
  });
  expect(counted).toBeGreaterThan(0);
  expect(counted).toBeLessThan(20);
});

test("what the operator has set for a key stands in place of its function's limit", async () => {
  await put({ key: "a", count: 40 });
  await database.pool.query("INSERT INTO engine_limits (key, most) VALUES ('a', 1)");
  expect(await take()).toEqual(["a"]);
  await database.pool.query("UPDATE engine_limits SET most = 3 WHERE key = 'a'");
  expect(await take()).toEqual(["a", "a"]);
  await database.pool.query("DELETE FROM engine_limits");
});

test("a run whose row is held is left, and the claim waits not for it", async () => {
  await put({ key: "a", count: 1 });
  await put({ key: "b", count: 1, firstTurn: 1 });
  await inTransaction(database.pool, async (tx) => {
    await tx.query("SELECT 1 FROM engine_runs WHERE key = 'a' FOR UPDATE");
    expect(await take()).toEqual(["b"]);
  });
  expect(await take()).toEqual(["a"]);
});

test("behind a full key, a key whose only run is held hides none of those behind it", async () => {
  await put({ key: "full", count: 2, isAtWork: true });
  await put({ key: "full", count: 30 });
  await put({ key: "held", count: 1, firstTurn: 100 });
  await put({ key: "late", count: 1, firstTurn: 200 });
  await inTransaction(database.pool, async (holder) => {
    await holder.query("SELECT 1 FROM engine_runs WHERE key = 'held' FOR UPDATE");
    expect(await take(database.pool, 1)).toEqual(["late"]);
  });
});

test("what a claim reads grows neither with full keys' runs nor work elsewhere", async () => {
  const few = await rowsRead(100, 100);
  expect(await rowsRead(10_000, 5_000)).toBeLessThanOrEqual(few * 1.5);
});

/** Rows of the queue that a claim reads that takes one run, by the database's own count. */
async function rowsRead(waiting: number, atWork: number): Promise<number> {
  await database.pool.query("DELETE FROM engine_runs");
  await put({ key: "full", count: 2, isAtWork: true });
  await put({ key: "full", count: waiting });
  await put({ key: `other ${newId()}`, count: atWork, isAtWork: true });
  await put({ key: "late", count: 1, firstTurn: waiting + 1 });
  await database.pool.query("VACUUM ANALYZE engine_runs");
  return inTransaction(database.pool, async (tx) => {
    const { claims } = await claimRuns(tx, "main", OWNER, FREE, LIMITS);
    expect(claims).toHaveLength(1);
    const { rows } = await tx.query<{ read: string }>(
      `SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_xact_user_tables
       WHERE relname = 'engine_runs'`,
    );
    return Number(rows[0]?.read);
  });
}
