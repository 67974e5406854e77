import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { enqueueEvent } from "@/lib/engine/embedded/router";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { registerProcess } from "@/lib/engine/processes";
import { type EngineDatabase, openEngineDatabase } from "@/lib/engine/test/engine-database";
import { FAKE_APP, testFunction } from "@/lib/engine/test/fake-engine";
import { newId } from "@/lib/platform/ids";

let database: EngineDatabase;
let executor: EmbeddedExecutor | null = null;

beforeAll(async () => {
  database = await openEngineDatabase();
});
beforeEach(async () => {
  await database.pool.query(
    "TRUNCATE engine_runs, engine_events, engine_steps, engine_waits, engine_processes, " +
      "engine_lanes",
  );
});
afterEach(async () => {
  vi.useRealTimers();
  await executor?.stop({ graceMs: 1_000 });
  executor = null;
});
afterAll(() => database.close());

async function start(): Promise<EmbeddedExecutor> {
  const functions = [
    testFunction({ id: "one", triggers: [{ event: "t/one" }] }, async ({ step }) =>
      step.run("a", () => "done"),
    ),
    testFunction({ id: "nap", triggers: [{ event: "t/nap" }] }, async ({ step }) =>
      step.sleep("nap", 60_000),
    ),
    testFunction({ id: "wait", triggers: [{ event: "t/wait" }] }, async ({ step }) =>
      step.waitForEvent("wait", {
        event: "t/never",
        match: { field: "id", value: "x" },
        timeoutSeconds: 60,
      }),
    ),
    testFunction({ id: "fails", triggers: [{ event: "t/fails" }], retries: 3 }, async ({ step }) =>
      step.run("a", () => Promise.reject(new Error("again"))),
    ),
  ];
  executor = await startEmbeddedExecutor({
    app: FAKE_APP,
    functions,
    pool: database.pool,
    concurrency: 3,
    backoffMs: () => 60_000,
  });
  return executor;
}

/** A run that sleeps, and whose time has come. */
async function insertDue(): Promise<string> {
  const id = newId();
  await database.pool.query(
    "INSERT INTO engine_events (id, name, data, routed_at) VALUES ($1, 't/one', '{}', now())",
    [id],
  );
  await database.pool.query(
    `INSERT INTO engine_runs (id, function_id, event_id, lane, key, queued, due_at)
     VALUES ($1, 'fake-one', $2, 'common', 'fake-one', false, now() - interval '1 second')`,
    [id, id],
  );
  return id;
}

const isDone = async (id: string) =>
  (
    await database.pool.query("SELECT 1 FROM engine_runs WHERE id = $1 AND status = 'completed'", [
      id,
    ])
  ).rowCount === 1;

test("a due run whose row is held keeps no process from living, no run from work", async () => {
  await start();
  const [locked, free] = [await insertDue(), await insertDue()];
  const client = await database.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM engine_runs WHERE id = $1 FOR UPDATE", [locked]);
    await executor?.beat();
    await vi.waitFor(async () => expect(await isDone(free)).toBe(true), { timeout: 20_000 });
    expect(await isDone(locked)).toBe(false);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
  await executor?.beat();
  await vi.waitFor(async () => expect(await isDone(locked)).toBe(true), { timeout: 20_000 });
});

test("a dead process is buried although somebody holds a run of it", async () => {
  await start();
  const dead = await registerProcess(database.pool);
  const held = await insertDue();
  await database.pool.query("UPDATE engine_runs SET owner = $1, due_at = NULL WHERE id = $2", [
    dead,
    held,
  ]);
  const client = await database.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM engine_runs WHERE id = $1 FOR UPDATE", [held]);
    expect((await database.pool.query("SELECT engine_bury($1, false)", [dead])).rowCount).toBe(1);
    expect(
      (await database.pool.query("SELECT 1 FROM engine_processes WHERE id = $1", [dead])).rowCount,
    ).toBe(0);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});

test("600,000 rows of the day before are cleared beside the beat, which goes on", async () => {
  await database.pool.query(
    "INSERT INTO engine_events (id, name, data, routed_at) VALUES ('old', 't/one', '{}', now())",
  );
  await database.pool.query(
    `INSERT INTO engine_runs (id, function_id, event_id, status, created_at, ended_at)
     SELECT gen_random_uuid(), 'fake-one', 'old', 'completed', now() - interval '2 days',
       now() - interval '2 days' FROM generate_series(1, 600000)`,
  );
  const left = async () =>
    Number(
      (
        await database.pool.query<{ n: string }>(
          "SELECT count(*) AS n FROM engine_runs WHERE status = 'completed'",
        )
      ).rows[0]?.n,
    );
  await start();
  // The second beat begins to clear up.
  await executor?.beat();
  await executor?.beat();
  expect(await left()).toBeGreaterThan(0);
  await vi.waitFor(async () => expect(await left()).toBeLessThan(600_000), { timeout: 30_000 });
  await executor?.beat();
  // An orderly stop does not wait for the end of it either.
  await executor?.stop({ graceMs: 0 });
  executor = null;
  expect(await left()).toBeGreaterThan(0);
}, 120_000);

test.each([
  ["behind", -600_000],
  ["ahead", 600_000],
])(
  "a process whose clock is ten minutes %s has its sleeps, waits and pauses end by the database",
  async (_where, shiftMs) => {
    vi.setSystemTime(Date.now() + shiftMs);
    await start();
    for (const name of ["nap", "wait", "fails"])
      await enqueueEvent(database.pool, { id: name, name: `t/${name}`, data: {} });
    await executor?.beat();
    const due = async () =>
      (
        await database.pool.query<{ id: string; seconds: number }>(
          `SELECT event_id AS id, extract(epoch FROM due_at - clock_timestamp())::float8 AS seconds
         FROM engine_runs
         WHERE due_at IS NOT NULL AND owner IS NULL ORDER BY event_id`,
        )
      ).rows;
    await vi.waitFor(async () => expect(await due()).toHaveLength(3), { timeout: 20_000 });
    for (const { id, seconds } of await due()) {
      expect(seconds, id).toBeGreaterThan(0);
      expect(seconds, id).toBeLessThanOrEqual(60);
    }
  },
);

test("a process shows that it lives on its own connection, whatever its pool does", async () => {
  await start();
  const seen = async () =>
    (
      await database.pool.query<{ seen: string }>(
        "SELECT max(seen_at)::text AS seen FROM engine_processes",
      )
    ).rows[0]?.seen;
  const before = await seen();
  const held = await Promise.all(Array.from({ length: 19 }, () => database.pool.connect()));
  try {
    await vi.waitFor(async () => expect(await seen()).not.toBe(before), { timeout: 20_000 });
  } finally {
    for (const client of held) client.release();
  }
});
