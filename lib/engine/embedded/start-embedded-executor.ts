import "server-only";
import type { Inngest, InngestFunction } from "inngest";
import { serve } from "inngest/edge";
import type pg from "pg";
import { connectionOf } from "@/lib/engine/connection-of";
import { deleteOldRuns } from "@/lib/engine/embedded/delete-old-runs";
import type { Engine, LimitsOf } from "@/lib/engine/embedded/engine";
import { fireCrons } from "@/lib/engine/embedded/fire-crons";
import { freeStrays } from "@/lib/engine/embedded/free-strays";
import { guardPool } from "@/lib/engine/embedded/guard-pool";
import { JobPool } from "@/lib/engine/embedded/job-pool";
import { QUEUE_NEWS } from "@/lib/engine/embedded/lane";
import { mend } from "@/lib/engine/embedded/mend";
import { onlyOwnCalls } from "@/lib/engine/embedded/own-calls";
import { ProcessLease } from "@/lib/engine/embedded/process-lease";
import { readFunctions } from "@/lib/engine/embedded/read-functions";
import { leaveRuns, takeOver } from "@/lib/engine/embedded/take-over";
import { engineState } from "@/lib/engine/engine-state";
import { log } from "@/lib/platform/log";

const COMMON_LANE = "common";
const noLimits: LimitsOf = async () => new Map();
const TICK_MS = 1_000;
const STRAYS_EVERY_TICKS = 3;
const MEND_EVERY_TICKS = 30;
const SWEEP_EVERY_TICKS = 1_800;
const KEEP_HOURS = 24;

export interface EmbeddedExecutorOptions {
  /** Made with `embeddedFetch`, so that what functions send stays in this process. */
  client: Inngest.Any;
  functions: InngestFunction.Any[];
  pool: pg.Pool;
  /** How many runs this process works on at once, of all functions that have no lane of their own. */
  concurrency: number;
  /** Functions with places of their own, so that others cannot take them all. */
  lanes?: readonly { name: string; functions: readonly InngestFunction.Any[]; places: number }[];
  /** Limits of single values of a function's concurrency key; without it the functions' own limits hold for all. */
  limitsOf?: LimitsOf;
  /** Milliseconds to wait after the nth failure in a row. */
  backoffMs?: (failures: number) => number;
}

export interface EmbeddedExecutor {
  /**
   * Takes no new jobs, lets the steps that run end for up to `graceMs`, and leaves all else to whoever starts next.
   * Nothing is lost either way; a step that was cut off is repeated.
   */
  stop(options: { graceMs: number }): Promise<void>;
}

/**
 * Drives Inngest functions in this process, without an Inngest server, on a durable queue in Postgres; several processes may share one database.
 * Throws, before it takes any job, one sentence that names what a function needs and this executor cannot do.
 */
export async function startEmbeddedExecutor(options: EmbeddedExecutorOptions): Promise<EmbeddedExecutor> {
  const { client, functions, pool, concurrency, lanes = [], limitsOf = noLimits, backoffMs = defaultBackoffMs } = options;
  guardPool(pool);
  const handler = onlyOwnCalls(serve({ client, functions }));
  const specs = new Map((await readFunctions(handler)).map((spec) => [spec.id, spec]));
  const laneByFunction = new Map(lanes.flatMap(({ name, functions }) => functions.map((fn) => [fn.id(client.id), name] as const)));
  const places = new Map([[COMMON_LANE, concurrency], ...lanes.map(({ name, places }) => [name, places] as const)]);
  let stopping = false;
  const drivers: Engine["drivers"] = new Map();
  let jobs: JobPool | null = null;
  const lease = await ProcessLease.open(connectionOf(pool), {
    onWake: (news) => (news === QUEUE_NEWS ? jobs?.fill() : drivers.get(news)?.wake()),
    onLost: () => {
      for (const driver of drivers.values()) driver.abandon();
    },
  });
  const engine: Engine = {
    pool,
    handler,
    specs,
    laneOf: (functionId) => laneByFunction.get(functionId) ?? COMMON_LANE,
    limitsOf,
    drivers,
    backoffMs,
    owner: () => lease.id,
    isStopping: () => stopping,
    wakeAt: (time) => jobs?.wakeAt(time),
  };
  const pokes = new JobPool(engine, places, (name) => lease.setPool(name).catch(() => {}));
  jobs = pokes;
  // Before the first job: what a process left that died a moment ago comes first.
  await takeOver(pool, lease.id);
  await pokes.start();
  const stopTicking = startTicking(engine, lease, pokes);
  engineState().isAlive = () => lease.isHeld && !stopping;
  return {
    async stop({ graceMs }) {
      if (stopping) return;
      stopping = true;
      for (const driver of drivers.values()) driver.wake();
      await stopTicking();
      await pokes.stop(graceMs);
      await leaveRuns(pool, lease.id).catch((error: Error) =>
        log.warn({ err: error.message }, "the runs of this process are left to be found"),
      );
      await lease.close();
    },
  };
}

/** The seconds' beat: finds dead processes and due jobs, fires crons, mends and sweeps from time to time. */
function startTicking(engine: Engine, lease: ProcessLease, jobs: JobPool): () => Promise<void> {
  let since = new Date();
  let count = 0;
  let strays = new Set<string>();
  let running: Promise<void> = Promise.resolve();
  const tick = async () => {
    count += 1;
    const now = new Date();
    if ((await takeOver(engine.pool, lease.id)) > 0) log.warn("took over the runs of an executor that died");
    await fireCrons(engine.pool, engine.specs.values(), since, now);
    since = now;
    await jobs.nudgeDue(lease);
    if (count % STRAYS_EVERY_TICKS === 0) strays = await freeStrays(engine, strays);
    if (count % MEND_EVERY_TICKS === 0) await mend(engine.pool);
    if (count % SWEEP_EVERY_TICKS === 1) await deleteOldRuns(engine.pool, KEEP_HOURS);
  };
  let idle = true;
  const timer = setInterval(() => {
    if (!idle) return;
    idle = false;
    running = tick()
      .catch((error: Error) => log.warn({ err: error.message }, "the engine's beat failed; it goes on"))
      .finally(() => {
        idle = true;
      });
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    return running;
  };
}

/** 1, 2, 4 … s, at most 5 minutes, spread by a fifth so that what failed together does not come back together. */
function defaultBackoffMs(failures: number): number {
  return Math.min(300_000, 1_000 * 2 ** (failures - 1)) * (0.9 + Math.random() * 0.2);
}
