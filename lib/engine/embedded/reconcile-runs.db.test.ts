import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { enqueueEvent } from "@/lib/engine/embedded/router";
import { deleteOldRuns } from "@/lib/engine/embedded/run-store";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { type Beat, beat, registerProcess } from "@/lib/engine/processes";
import { type EngineDatabase, openEngineDatabase } from "@/lib/engine/test/engine-database";
import { FAKE_APP, testFunction } from "@/lib/engine/test/fake-engine";
import { newId } from "@/lib/platform/ids";
import { processIdentity } from "@/lib/platform/process-identity.mjs";

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
  await executor?.stop({ graceMs: 1_000 });
  executor = null;
});
afterAll(() => database.close());

async function start(): Promise<void> {
  const functions = [
    testFunction({ id: "one", triggers: [{ event: "t/one" }] }, async ({ step }) =>
      step.run("a", () => "done"),
    ),
  ];
  executor = await startEmbeddedExecutor({
    app: FAKE_APP,
    functions,
    pool: database.pool,
    concurrency: 3,
  });
}

/** A run that nobody was told of. */
async function insertRun(
  columns: { owner?: number | undefined; lane?: string | null; queued?: boolean } = {},
): Promise<string> {
  const id = newId();
  await database.pool.query(
    "INSERT INTO engine_events (id, name, data, routed_at) VALUES ($1, 't/one', '{}', now())",
    [id],
  );
  const { owner = null, lane = "common", queued = false } = columns;
  await database.pool.query(
    `INSERT INTO engine_runs (id, function_id, event_id, created_at, owner, lane, key, queued)
     VALUES ($1, 'fake-one', $2, now() - interval '1 minute', $3, $4,
       CASE WHEN $4::text IS NOT NULL THEN 'fake-one' END, $5)`,
    [id, id, owner, lane, queued],
  );
  return id;
}

const statusOf = async (id: string) =>
  (
    await database.pool.query<{ status: string }>("SELECT status FROM engine_runs WHERE id = $1", [
      id,
    ])
  ).rows[0]?.status;
const ends = (id: string) => expect.poll(() => statusOf(id), { interval: 50 }).toBe("completed");

test("a run that waits for nothing is found and ends", async () => {
  const id = await insertRun();
  await start();
  await ends(id);
});

test("a run whose process died first is taken up by the next, in any lane", async () => {
  const id = await insertRun({ queued: true });
  await start();
  await ends(id);
});

test("a run whose owner is not in the list of processes is found and ends", async () => {
  const id = await insertRun({ owner: 999_999 });
  await start();
  await ends(id);
});

test("a run that an older version started is taken into the queue and ends", async () => {
  const id = await insertRun({ lane: null });
  await start();
  await ends(id);
});

test("a sleeping run that lost its time is given it back, as after an old restore", async () => {
  const sleeper = testFunction({ id: "one", triggers: [{ event: "t/one" }] }, async ({ step }) =>
    step.sleep("nap", 3_000),
  );
  const begin = () =>
    startEmbeddedExecutor({
      app: FAKE_APP,
      functions: [sleeper],
      pool: database.pool,
      concurrency: 3,
    });
  executor = await begin();
  await enqueueEvent(database.pool, { id: "sleeps", name: "t/one", data: {} });
  const asleep = () =>
    database.pool.query<{ id: string }>("SELECT id FROM engine_runs WHERE due_at IS NOT NULL");
  await expect.poll(async () => (await asleep()).rowCount, { interval: 20 }).toBe(1);
  const id = (await asleep()).rows[0]?.id ?? "";
  await executor.stop({ graceMs: 1_000 });
  await database.pool.query(
    "UPDATE engine_runs SET due_at = NULL, created_at = now() - interval '1 minute'",
  );
  executor = await begin();
  const IN_TIME = `SELECT 1 FROM engine_runs r
     WHERE NOT queued AND due_at = (SELECT min(due_at) FROM engine_steps WHERE run_id = r.id)`;
  await expect
    .poll(async () => (await database.pool.query(IN_TIME)).rowCount, { interval: 20 })
    .toBe(1);
  await expect.poll(() => statusOf(id), { interval: 50, timeout: 8_000 }).toBe("completed");
});

test("a run that a process owns without knowing it is freed by that process itself", async () => {
  await start();
  const { rows } = await database.pool.query<{ id: number }>("SELECT id FROM engine_processes");
  await ends(await insertRun({ owner: rows[0]?.id }));
});

test("an event that a process sent which drives nothing is done by one that does", async () => {
  await enqueueEvent(database.pool, { id: "unrouted", name: "t/one", data: {} });
  const { rows } = await database.pool.query(
    "SELECT routed_at FROM engine_events WHERE id = 'unrouted'",
  );
  expect(rows).toEqual([{ routed_at: null }]);
  await start();
  const done = () =>
    database.pool.query(
      "SELECT 1 FROM engine_runs WHERE event_id = 'unrouted' AND status = 'completed'",
    );
  await expect.poll(async () => (await done()).rowCount).toBe(1);
});

describe("who is dead", () => {
  const beats = async (process: number, gone: number[] = []) =>
    (
      await database.pool.query<{ beat: Beat }>("SELECT engine_beat($1, $2, 10) AS beat", [
        process,
        gone,
      ])
    ).rows[0]?.beat;
  const silence = (process: number, seconds: number) =>
    database.pool.query(
      "UPDATE engine_processes SET seen_at = now() - make_interval(secs => $2) WHERE id = $1",
      [process, seconds],
    );
  /** Has a process beaten without a gap for a minute. */
  const steady = (process: number) =>
    database.pool.query(
      `UPDATE engine_processes SET seen_at = now(), steady_since = now() - interval '1 minute'
       WHERE id = $1`,
      [process],
    );
  const listed = async () =>
    (
      await database.pool.query<{ id: number }>("SELECT id FROM engine_processes ORDER BY id")
    ).rows.map(({ id }) => id);
  const pair = async () =>
    [await registerProcess(database.pool), await registerProcess(database.pool)] as const;

  test("a process without a beat for ten seconds loses its runs, and learns it", async () => {
    const [mine, other] = await pair();
    const id = await insertRun({ owner: other });
    await steady(mine);
    // Nobody is buried while the database itself is as young.
    await expect
      .poll(
        async () =>
          (
            await database.pool.query(
              `SELECT 1
               WHERE pg_postmaster_start_time() < clock_timestamp() - interval '11 seconds'`,
            )
          ).rowCount,
        { timeout: 20_000 },
      )
      .toBe(1);
    await steady(mine);
    await silence(other, 9);
    expect(await beats(mine)).toMatchObject({ alive: true, buried: 0 });
    await silence(other, 11);
    expect(await beats(mine)).toMatchObject({ buried: 1 });
    expect(
      (
        await database.pool.query(
          "SELECT owner, queued, takeovers FROM engine_runs WHERE id = $1",
          [id],
        )
      ).rows,
    ).toEqual([{ owner: null, queued: true, takeovers: 1 }]);
    expect(await beats(other)).toEqual({ alive: false });
  });

  test("who has just come back, with the database or alone, declares nobody dead", async () => {
    const [mine, other] = await pair();
    await silence(other, 60);
    await silence(mine, 60);
    expect(await beats(mine)).toMatchObject({ alive: true, buried: 0 });
    expect(await beats(mine)).toMatchObject({ buried: 0 });
    expect(await listed()).toEqual([mine, other]);
  });

  test("a process of this machine that has ended is dead at once", async () => {
    const [mine, other] = await pair();
    await database.pool.query("UPDATE engine_processes SET identity = $2 WHERE id = $1", [
      other,
      JSON.stringify({ ...processIdentity(), pid: 2 ** 22 + 1 }),
    ]);
    expect((await beat(database.pool, mine)).alive).toBe(true);
    expect(await listed()).toEqual([mine]);
  });

  test("a process of an older version lives while it holds its lock", async () => {
    const [mine] = await pair();
    const { rows } = await database.pool.query<{ id: number }>(
      "INSERT INTO engine_processes (started_at) VALUES (now() - interval '1 minute') RETURNING id",
    );
    const old = rows[0]?.id ?? 0;
    const client = await database.pool.connect();
    await client.query("SELECT pg_advisory_lock(6782, $1)", [old]);
    await beats(mine);
    expect(await listed()).toContain(old);
    await client.query("SELECT pg_advisory_unlock_all()");
    client.release();
    await beats(mine);
    expect(await listed()).not.toContain(old);
  });

  test("a run whose process dies again and again waits longer each time", async () => {
    const mine = await registerProcess(database.pool);
    const id = await insertRun();
    const pauses: unknown[] = [];
    for (let deaths = 1; deaths <= 8; deaths++) {
      const other = await registerProcess(database.pool);
      await database.pool.query(
        "UPDATE engine_runs SET owner = $2, queued = FALSE, due_at = NULL WHERE id = $1",
        [id, other],
      );
      await beats(mine, [other]);
      const { rows } = await database.pool.query<{ queued: boolean; pause: number | null }>(
        `SELECT queued, round(extract(epoch FROM due_at - now()))::int AS pause FROM engine_runs
         WHERE id = $1`,
        [id],
      );
      pauses.push(rows[0]?.queued ? 0 : rows[0]?.pause);
    }
    expect(pauses).toEqual([0, 0, 1, 2, 4, 8, 15, 15]);
  });
});

test("rows of long-ended runs go, with steps and events; others stay", async () => {
  const [old, young, active] = [await insertRun({}), await insertRun({}), await insertRun({})];
  await database.pool.query(
    `INSERT INTO engine_steps (run_id, id, op, name, done)
     SELECT id, 's', 'StepRun', 's', TRUE FROM engine_runs`,
  );
  await database.pool.query(
    "UPDATE engine_events SET routed_at = now(), received_at = now() - interval '30 hours'",
  );
  await database.pool.query(
    `UPDATE engine_runs SET status = 'completed', ended_at = now() - interval '25 hours'
     WHERE id = $1`,
    [old],
  );
  await database.pool.query(
    "UPDATE engine_runs SET status = 'completed', ended_at = now() WHERE id = $1",
    [young],
  );
  await deleteOldRuns(database.pool, 24);
  const kept = [young, active].sort();
  for (const [table, column] of [
    ["engine_runs", "id"],
    ["engine_steps", "run_id"],
    ["engine_events", "id"],
  ]) {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT ${column}::text AS id FROM ${table} ORDER BY 1`,
    );
    expect(rows.map(({ id }) => id)).toEqual(kept);
  }
});
