import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { deleteOldRuns } from "@/lib/engine/embedded/delete-old-runs";
import { enqueueEvent } from "@/lib/engine/embedded/enqueue-event";
import { mend } from "@/lib/engine/embedded/mend";
import { type EmbeddedExecutor, startEmbeddedExecutor } from "@/lib/engine/embedded/start-embedded-executor";
import { type EngineDatabase, openEngineDatabase } from "@/lib/engine/test/engine-database";
import { toyClient } from "@/lib/engine/test/toy-engine";
import { newId } from "@/lib/platform/ids";

let database: EngineDatabase;
let executor: EmbeddedExecutor | null = null;

beforeAll(async () => {
  database = await openEngineDatabase();
});
beforeEach(async () => {
  await database.pool.query("truncate engine_runs, engine_events, engine_steps, engine_waits, engine_slots, engine_processes");
  await database.pool.query(
    "select graphile_worker.force_unlock_workers(array_agg(locked_by)) from graphile_worker.jobs where locked_by is not null having count(*) > 0",
  );
  await database.pool.query("select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs having count(*) > 0");
});
afterEach(async () => {
  await executor?.stop({ graceMs: 1_000 });
  executor = null;
});
afterAll(() => database.close());

async function start(): Promise<void> {
  const client = toyClient(() => database.pool);
  const functions = [client.createFunction({ id: "one", triggers: [{ event: "t/one" }] }, async ({ step }) => step.run("a", () => "done"))];
  executor = await startEmbeddedExecutor({ client, functions, pool: database.pool, concurrency: 3 });
}

async function insertRun(columns: Record<string, unknown>): Promise<string> {
  const id = newId();
  await enqueueEvent(database.pool, { id, name: "t/other", data: {} });
  await database.pool.query(
    "insert into engine_runs (id, function_id, event_id, created_at, owner) values ($1, 'toy-one', $2, now() - interval '1 minute', $3)",
    [id, id, columns.owner ?? null],
  );
  await database.pool.query("update engine_events set name = 't/one' where id = $1", [id]);
  return id;
}

const statusOf = async (id: string) =>
  (await database.pool.query<{ status: string }>("select status from engine_runs where id = $1", [id])).rows[0]?.status;
const ends = (id: string) => expect.poll(() => statusOf(id), { interval: 50 }).toBe("completed");

test("a run that nobody was told of is found and ends", async () => {
  const id = await insertRun({});
  await start();
  await mend(database.pool);
  await ends(id);
});

test("a run whose owner is not in the list of processes is found and ends", async () => {
  const id = await insertRun({ owner: 999_999 });
  await start();
  await mend(database.pool);
  await ends(id);
});

test("a run that a process owns without knowing it is freed by that process itself", async () => {
  await start();
  const { rows } = await database.pool.query<{ id: number }>("select id from engine_processes");
  await ends(await insertRun({ owner: rows[0]?.id }));
});

test("an event whose job was lost is routed", async () => {
  await enqueueEvent(database.pool, { id: "lost", name: "t/one", data: {} });
  await database.pool.query("select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs");
  await database.pool.query("update engine_events set received_at = now() - interval '1 minute'");
  await start();
  await mend(database.pool);
  await expect
    .poll(async () => (await database.pool.query("select 1 from engine_runs where event_id = 'lost' and status = 'completed'")).rowCount)
    .toBe(1);
});

test("a job that a vanished pool holds goes free", async () => {
  await enqueueEvent(database.pool, { id: "held", name: "t/one", data: {} });
  await database.pool.query("update graphile_worker._private_jobs set locked_by = 'pool-gone', locked_at = now() - interval '1 minute'");
  await start();
  await mend(database.pool);
  await expect
    .poll(async () => (await database.pool.query("select 1 from engine_runs where event_id = 'held' and status = 'completed'")).rowCount)
    .toBe(1);
});

test("rows of runs that ended long ago go, with their steps and events; younger ones and active ones stay", async () => {
  const [old, young, active] = [await insertRun({}), await insertRun({}), await insertRun({})];
  await database.pool.query("insert into engine_steps (run_id, id, op, name, done) select id, 's', 'StepRun', 's', true from engine_runs");
  await database.pool.query("update engine_events set routed_at = now(), received_at = now() - interval '30 hours'");
  await database.pool.query("update engine_runs set status = 'completed', ended_at = now() - interval '25 hours' where id = $1", [old]);
  await database.pool.query("update engine_runs set status = 'completed', ended_at = now() where id = $1", [young]);
  await deleteOldRuns(database.pool, 24);
  const kept = [young, active].sort();
  for (const [table, column] of [
    ["engine_runs", "id"],
    ["engine_steps", "run_id"],
    ["engine_events", "id"],
  ]) {
    const { rows } = await database.pool.query<{ id: string }>(`select ${column}::text as id from ${table} order by 1`);
    expect(rows.map(({ id }) => id)).toEqual(kept);
  }
});
