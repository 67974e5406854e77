import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { enqueueEvent } from "@/lib/engine/embedded/router";
import { type EngineDatabase, openEngineDatabase } from "@/lib/engine/test/engine-database";
import { bundleProgram, endWorker, startCrashWorker } from "@/lib/engine/test/start-crash-worker";

const STEPS = ["one", "two", "three", "four", "five", "six"];
/** Steps that may run only after all of these have ended. */
const BEFORE: Record<string, string[]> = {
  one: [],
  two: ["one"],
  three: ["two"],
  four: ["three"],
  five: ["four"],
  six: ["five"],
};

let database: EngineDatabase;
let bundle: string;
let workers: ChildProcess[] = [];

beforeAll(async () => {
  database = await openEngineDatabase();
  bundle = await bundleProgram("crash-worker");
  await database.pool.query(
    `CREATE TABLE effects (id bigserial PRIMARY KEY, run text, step text, pid int,
       ended bool NOT NULL DEFAULT FALSE)`,
  );
  await database.pool.query("CREATE TABLE ends (run text, result text)");
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => endWorker(worker, "SIGKILL")));
  workers = [];
  await database.pool.query(
    "TRUNCATE effects, ends, engine_runs, engine_events, engine_steps, engine_waits",
  );
});
afterAll(async () => {
  await database.close();
  rmSync(bundle, { force: true });
});

async function startWorker(): Promise<ChildProcess> {
  const worker = await startCrashWorker(bundle, database.url);
  workers.push(worker);
  return worker;
}

async function sendRuns(count: number, extra: Record<string, unknown> = {}): Promise<void> {
  for (let n = 0; n < count; n++)
    await enqueueEvent(database.pool, {
      id: `run-${n}`,
      name: "t/six",
      data: { run: String(n), ...extra },
    });
}

async function completed(count: number): Promise<void> {
  await expect
    .poll(
      async () =>
        (await database.pool.query("SELECT 1 FROM engine_runs WHERE status = 'completed'"))
          .rowCount,
      { interval: 50 },
    )
    .toBe(count);
}

/**
 * Each step of each run was done; none began before those before it had ended, or again after one
 * behind it had begun; few were repeated.
 */
async function expectSound(count: number, kills: number): Promise<void> {
  const { rows } = await database.pool.query<{ run: string; step: string; ended: boolean }>(
    "SELECT run, step, ended FROM effects ORDER BY id",
  );
  for (let n = 0; n < count; n++) {
    const mine = rows.filter(({ run }) => run === String(n));
    for (const [at, { step }] of mine.entries()) {
      const earlier = mine.slice(0, at);
      for (const before of BEFORE[step] ?? [])
        expect(
          earlier.some((row) => row.step === before && row.ended),
          `run ${n}: ${before} before ${step}`,
        ).toBe(true);
      for (const behind of STEPS.filter((name) => BEFORE[name]?.includes(step)))
        expect(
          earlier.some((row) => row.step === behind),
          `run ${n}: ${step} again after ${behind}`,
        ).toBe(false);
    }
    for (const step of STEPS) {
      const begun = mine.filter((row) => row.step === step);
      expect(
        begun.some(({ ended }) => ended),
        `run ${n}: ${step} is done`,
      ).toBe(true);
      expect(begun.length).toBeLessThanOrEqual(1 + kills);
    }
    // One step at most was in flight at a kill.
    expect(mine.length).toBeLessThanOrEqual(STEPS.length + kills);
  }
  const ends = await database.pool.query<{ run: string; result: string }>(
    "SELECT DISTINCT run, result FROM ends",
  );
  expect(ends.rows.map(({ result }) => result)).toEqual(
    Array.from({ length: count }, () => STEPS.join(" ")),
  );
}

const SEED = Number(process.env.CRASH_SEED ?? 1);

test(`kill -9 at any moment repeats at most one step, runs end (CRASH_SEED=${SEED})`, async () => {
  const moment = fc.sample(fc.nat(250), { seed: SEED, numRuns: 8 });
  const runs = 12;
  let kills = 0;
  await sendRuns(runs, { sleeps: true });
  for (const milliseconds of moment) {
    const worker = await startWorker();
    await delay(milliseconds);
    await endWorker(worker, "SIGKILL");
    kills++;
  }
  await startWorker();
  await completed(runs);
  await expectSound(runs, kills);
  // Some of them held runs as they died.
  expect((await database.pool.query("SELECT 1 FROM engine_deaths")).rowCount).toBeGreaterThan(0);
});

test("a living process takes over from a killed one, and goes on with its own", async () => {
  // More than one process has places for, and so many that the other comes to some of them however
  // late it hears of them.
  const runs = 150;
  const [first] = await Promise.all([startWorker(), startWorker()]);
  await sendRuns(runs);
  await expect
    .poll(async () => (await database.pool.query("SELECT DISTINCT pid FROM effects")).rowCount, {
      interval: 5,
    })
    .toBe(2);
  await endWorker(first, "SIGKILL");
  await completed(runs);
  // By its beat, which finds the dead process: not by what looks for forgotten runs long after.
  expect(
    (await database.pool.query("SELECT 1 FROM engine_runs WHERE takeovers > 0")).rowCount,
  ).toBeGreaterThan(0);
  await expectSound(runs, 1);
});

test("a process asked to end finishes its steps and leaves the rest, unrepeated", async () => {
  const runs = 6;
  const worker = await startWorker();
  await sendRuns(runs);
  await expect
    .poll(async () => (await database.pool.query("SELECT 1 FROM effects WHERE ended")).rowCount, {
      interval: 5,
    })
    .toBeGreaterThan(2);
  await endWorker(worker, "SIGTERM");
  expect((await database.pool.query("SELECT 1 FROM effects WHERE NOT ended")).rowCount).toBe(0);
  expect(
    (
      await database.pool.query(
        "SELECT 1 FROM engine_runs WHERE owner IS NOT NULL AND status = 'active'",
      )
    ).rowCount,
  ).toBe(0);
  expect((await database.pool.query("SELECT 1 FROM engine_processes")).rowCount).toBe(0);
  await startWorker();
  await completed(runs);
  expect(
    (await database.pool.query("SELECT 1 FROM engine_runs WHERE takeovers > 0")).rowCount,
  ).toBe(0);
  await expectSound(runs, 0);
});

/** Starts a process whenever one has died, until so many runs have ended; gives how many died. */
async function untilEnded(count: number, { processes = 1, deathsMax = 8 } = {}): Promise<number> {
  let deaths = 0;
  let isOver = false;
  const keep = async () => {
    while (!isOver) {
      // What waits may end it before it has said that it takes jobs.
      const worker = await startWorker().catch(() => null);
      const died = new Promise<void>((resolve) => worker?.once("exit", () => resolve()));
      if (worker && worker.exitCode === null && worker.signalCode === null)
        await Promise.race([died, ended]);
      if (isOver) return;
      deaths += 1;
      if (deaths > deathsMax) throw new Error(`${deaths} processes died`);
    }
  };
  const ended = (async () => {
    await expect
      .poll(async () => (await database.pool.query("SELECT DISTINCT run FROM ends")).rowCount, {
        interval: 50,
        timeout: 120_000,
      })
      .toBe(count);
    isOver = true;
  })();
  await Promise.all([ended, ...Array.from({ length: processes }, keep)]);
  return deaths;
}

const endsOf = async () =>
  Object.fromEntries(
    (
      await database.pool.query<{ run: string; result: string }>("SELECT run, result FROM ends")
    ).rows.map((row) => [row.run, row.result]),
  );

/** How often each run was begun. */
const begunOf = async () =>
  Object.fromEntries(
    (
      await database.pool.query<{ run: string; n: number }>(
        "SELECT run, count(*)::int AS n FROM effects GROUP BY run",
      )
    ).rows.map(({ run, n }) => [run, n]),
  );

async function sendDeadly(runs: string[], kills: boolean): Promise<void> {
  for (const run of runs)
    await enqueueEvent(database.pool, { id: run, name: "t/deadly", data: { run, kills } });
}

const endAs = (runs: string[], result: string) =>
  Object.fromEntries(runs.map((run) => [run, result]));

test("a run that kills its process is not taken up a third time", async () => {
  await sendDeadly(["deadly"], true);
  expect(await untilEnded(1)).toBe(2);
  expect(await endsOf()).toEqual({ deadly: "EngineLost" });
  expect(await begunOf()).toEqual({ deadly: 2 });
});

test("a deadly run beside others ends after its second process, others are done", async () => {
  const others = ["a", "b", "c", "d", "e"];
  await sendDeadly(others, false);
  await sendDeadly(["deadly"], true);
  expect(await untilEnded(others.length + 1)).toBe(2);
  expect(await endsOf()).toEqual({ ...endAs(others, "done"), deadly: "EngineLost" });
  expect((await begunOf()).deadly).toBe(2);
});

test("ten deadly runs among ten others: each begins twice at most, no other is lost", async () => {
  const deadly = Array.from({ length: 10 }, (_, n) => `deadly-${n}`);
  const others = Array.from({ length: 10 }, (_, n) => `other-${n}`);
  for (const [n, run] of deadly.entries()) {
    await sendDeadly([run], true);
    await sendDeadly(others.slice(n, n + 1), false);
  }
  const deaths = await untilEnded(20, { processes: 2, deathsMax: 20 });
  expect(await endsOf()).toEqual({ ...endAs(deadly, "EngineLost"), ...endAs(others, "done") });
  const begun = await begunOf();
  for (const run of deadly) expect(begun[run], run).toBeLessThanOrEqual(2);
  expect(deaths).toBeLessThanOrEqual(20);
}, 240_000);

test("a process killed three times over a long step, by another, loses no run", async () => {
  const runs = ["a", "b", "c", "d"];
  for (const run of runs)
    await enqueueEvent(database.pool, {
      id: run,
      name: "t/deadly",
      data: { run, takesMs: 15_000 },
    });
  for (let kills = 1; kills <= 3; kills++) {
    const worker = await startWorker();
    // All wait for something outside, and none has the beginning for itself any more.
    await expect
      .poll(
        async () =>
          (
            await database.pool.query(
              `SELECT 1 FROM engine_runs JOIN effects ON effects.run = event_id AND pid = $1
               WHERE owner IS NOT NULL AND (takeovers = 0 OR trial_passed)`,
              [worker.pid],
            )
          ).rowCount,
        { interval: 50, timeout: 30_000 },
      )
      .toBe(runs.length);
    await endWorker(worker, "SIGKILL");
  }
  expect(await untilEnded(runs.length)).toBe(0);
  expect(await endsOf()).toEqual(endAs(runs, "done"));
}, 180_000);

test("connections that are cut again and again repeat nothing and lose nothing", async () => {
  const runs = 10;
  await startWorker();
  await sendRuns(runs);
  for (let cuts = 0; cuts < 10; cuts++) {
    await delay(20);
    await database.pool
      .query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
           AND pid <> pg_backend_pid()`,
      )
      .catch(() => {});
  }
  await completed(runs);
  const { rows } = await database.pool.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM engine_runs WHERE status = 'completed'",
  );
  expect(rows[0]?.n).toBe(runs);
});
