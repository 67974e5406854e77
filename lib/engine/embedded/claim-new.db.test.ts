import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { claimRuns } from "@/lib/engine/embedded/run-store";
import { beat, registerProcess } from "@/lib/engine/processes";
import { type EngineDatabase, openEngineDatabase } from "@/lib/engine/test/engine-database";
import { callSql } from "@/lib/platform/call-sql";
import { newId } from "@/lib/platform/ids";
import { inTransaction, type Queryable, type Transaction } from "@/lib/platform/postgres";

let database: EngineDatabase;
let owner: number;

beforeAll(async () => {
  database = await openEngineDatabase();
});
beforeEach(async () => {
  await database.pool.query(
    "TRUNCATE engine_runs, engine_events, engine_lanes, engine_limits, engine_processes",
  );
  owner = await registerProcess(database.pool);
});
afterAll(() => database.close());

const LANE = "main";
const LIMITS = [{ function_id: "f", first: 2, second: null }];

/** Puts a run of a key into the queue. */
async function put(on: Queryable, key: string, secondKey: string | null = null): Promise<string> {
  const id = newId();
  await callSql(on, "engine_send", {
    ...{ id, name: "t/x", data: "{}", function: null, match_values: [], routes: true, cancels: [] },
    starts: [{ id, function_id: "f", lane: LANE, key, second_key: secondKey }],
  });
  return id;
}

/** Puts a run into the queue and takes it up by the same transaction, where that may be. */
async function accept(
  key: string,
  {
    limits = LIMITS,
    secondKey = null,
    by = owner,
    before = async () => {},
  }: {
    limits?: typeof LIMITS;
    secondKey?: string | null;
    by?: number;
    /** While the transaction is open. */
    before?: (tx: Transaction) => Promise<void>;
  } = {},
): Promise<boolean> {
  return inTransaction(database.pool, async (tx) => {
    const run = await put(tx, key, secondKey);
    const [row] = await callSql(tx, "engine_claim_new", { run, owner: by, limits });
    await before(tx);
    return row?.value === true;
  });
}

const claim = async (free = 4) =>
  (await claimRuns(database.pool, LANE, owner, free, LIMITS)).claims.map(({ runId }) => runId);

async function atWork(key: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    "SELECT count(*)::int FROM engine_runs WHERE key = $1 AND owner IS NOT NULL",
    [key],
  );
  return rows[0]?.count ?? 0;
}

test("where nothing waits an accepted run is its process's at once, unqueued", async () => {
  expect(await accept("a")).toBe(true);
  const { rows } = await database.pool.query(
    "SELECT owner, attempt, queued, status, turn::int FROM engine_runs",
  );
  expect(rows).toEqual([{ owner, attempt: 1, queued: false, status: "active", turn: 0 }]);
  expect(await claim()).toEqual([]);
});

test("it passes nobody: where a run waits, of whatever key, it waits behind it", async () => {
  const first = await put(database.pool, "b");
  expect(await accept("a")).toBe(false);
  const claimed = await claim();
  expect([claimed[0], claimed.length]).toEqual([first, 2]);
});

test("no key gets more than its function's limit, nor than the operator's", async () => {
  expect([await accept("a"), await accept("a"), await accept("a")]).toEqual([true, true, false]);
  await database.pool.query("TRUNCATE engine_runs");
  await database.pool.query("INSERT INTO engine_limits (key, most) VALUES ('a', 1)");
  expect([await accept("a"), await accept("a")]).toEqual([true, false]);
  expect(await claim()).toEqual([]);
});

test("a run with a second key, and one of a dead process, wait like all others", async () => {
  expect(await accept("a", { secondKey: "host" })).toBe(false);
  await database.pool.query("TRUNCATE engine_runs");
  expect(await accept("a", { by: owner + 1 })).toBe(false);
  expect(await claim()).toHaveLength(1);
});

test("while one is being accepted, others of its key wait, other keys' not", async () => {
  const taken = await accept("a", {
    before: async () => {
      expect(await accept("b")).toBe(true);
      expect(await accept("a")).toBe(false);
    },
  });
  expect(taken).toBe(true);
  expect([await atWork("a"), await atWork("b")]).toEqual([1, 1]);
});

test("a claim waits for one being accepted and counts it: both keep to the limit", async () => {
  await database.pool.query("INSERT INTO engine_limits (key, most) VALUES ('a', 1)");
  let claimed: Promise<string[]> | null = null;
  let isOver = false;
  await accept("a", {
    before: async (tx) => {
      await put(database.pool, "a");
      claimed = claim().finally(() => {
        isOver = true;
      });
      await expect
        .poll(async () => {
          const { rows } = await tx.query(
            `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
          );
          return rows.length;
        })
        .toBe(1);
      expect(isOver).toBe(false);
    },
  });
  expect(await claimed).toEqual([]);
  expect(await atWork("a")).toBe(1);
});

test("while a claim counts the lane's places a run is accepted, unwaiting", async () => {
  await inTransaction(database.pool, async (tx) => {
    await claimRuns(tx, LANE, owner, 1, LIMITS);
    expect(await accept("a")).toBe(false);
  });
  expect(await claim()).toHaveLength(1);
});

test("who was taken up at once is not before others later: keys come in turn", async () => {
  const many = [{ function_id: "f", first: 10, second: null }];
  for (let n = 0; n < 5; n++) expect(await accept("a", { limits: many })).toBe(true);
  const own = await put(database.pool, "a");
  const others = [await put(database.pool, "b"), await put(database.pool, "c")];
  const { claims } = await claimRuns(database.pool, LANE, owner, 4, many);
  expect(claims.map(({ runId }) => runId)).toEqual([...others, own]);
});

test("a run whose process dies after its acceptance is another's with the next beat", async () => {
  const dead = await registerProcess(database.pool);
  await database.pool.query("UPDATE engine_processes SET identity = $2 WHERE id = $1", [
    dead,
    // A process of this machine that has ended: no number is that high.
    JSON.stringify({ ...(await identityOf(owner)), pid: 2 ** 30 }),
  ]);
  expect(await accept("a", { by: dead })).toBe(true);
  expect(await claim()).toEqual([]);
  expect(await beat(database.pool, owner)).toMatchObject({ buried: 1, lanes: [LANE] });
  const { claims } = await claimRuns(database.pool, LANE, owner, 4, LIMITS);
  expect(claims).toMatchObject([{ attempt: 2, takeovers: 1, owner }]);
});

async function identityOf(process: number): Promise<object> {
  const { rows } = await database.pool.query<{ identity: string }>(
    "SELECT identity FROM engine_processes WHERE id = $1",
    [process],
  );
  return JSON.parse(rows[0]?.identity ?? "{}") as object; // written by `registerProcess`
}
