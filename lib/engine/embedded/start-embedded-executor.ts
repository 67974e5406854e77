import "server-only";
import type pg from "pg";
import type { Claim } from "@/lib/engine/embedded/claim";
import { functionIdOf, toSpecs } from "@/lib/engine/embedded/function-specs";
import { type Engine, Lane, reconcileRuns } from "@/lib/engine/embedded/lane";
import {
  fireCrons,
  type Routed,
  type Router,
  routers,
  routeStored,
  storedEvents,
} from "@/lib/engine/embedded/router";
import { RunDriver } from "@/lib/engine/embedded/run-driver";
import {
  deleteOldRuns,
  dropRun,
  KEEP_HOURS,
  persist,
  releaseOrphans,
  releaseRuns,
} from "@/lib/engine/embedded/run-store";
import { engineState } from "@/lib/engine/engine-state";
import { APP_ID, type EngineFunction } from "@/lib/engine/functions";
import {
  BEAT_MS,
  type Beat,
  beat,
  LifeSign,
  QUEUE_SIGNAL,
  registerProcess,
  SILENCE_SECONDS,
  STORED_SIGNAL,
  unregisterProcess,
  WAKE_CHANNEL,
  WakeListener,
} from "@/lib/engine/processes";
import { log } from "@/lib/platform/log";

const COMMON_LANE = "common";
const RECONCILE_EVERY_BEATS = 15;
const SWEEP_EVERY_BEATS = 900;
const DEATHS_MAX = 10;
/** How long the ends of drives that were cut may take. */
const CUT_MAX_MS = 3_000;
/** Of the runs that a process held so many stand in the log, those with most deaths first. */
const TOLD_RUNS = 20;
/** How long the last process waits for another one to start before it tries what one died of. */
const COMPANION_MS = 5_000;
/** Signals for other processes go out together. */
const SIGNAL_PAUSE_MS = 20;

export interface EmbeddedExecutorOptions {
  /** Whose functions they are; the service's unless a test says otherwise. */
  app?: string;
  functions: readonly EngineFunction[];
  pool: pg.Pool;
  /**
   * How many runs this process works on at once, of all functions that have no lane of their own.
   */
  concurrency: number;
  /**
   * Functions with places of their own, so that others cannot take them all. `deathsMax`: how many
   * processes may die or freeze over one step of a run until the run ends for it (ten where nothing
   * is said). `isShared`: the places are shared by the keys that wait, whatever the functions say.
   */
  lanes?: readonly {
    name: string;
    functions: readonly EngineFunction[];
    places: number;
    deathsMax?: number;
    isShared?: boolean;
  }[];
  /**
   * False: this process drives nothing, fires nothing and looks after nothing. It only routes what
   * it sends, and shows the others that it lives, so that they tell it of runs' logs.
   */
  drives?: boolean;
  /** Milliseconds to wait after the nth failure in a row. */
  backoffMs?: (failures: number) => number;
}

export interface EmbeddedExecutor {
  /** Finds at once what the regular beat would find. */
  beat(): Promise<void>;
  /**
   * Takes nothing new up, lets the steps that run end for up to `graceMs`, and leaves all else to
   * whoever starts next.
   * Nothing is lost either way; a step that was cut off is repeated.
   */
  stop(options: { graceMs: number }): Promise<void>;
}

/**
 * Drives Inngest functions in this process, without an Inngest server, on a durable queue in
 * Postgres; several processes may share one database.
 * Throws, before it takes anything up, one sentence that names what a function needs and this
 * executor cannot do.
 */
export async function startEmbeddedExecutor(
  options: EmbeddedExecutorOptions,
): Promise<EmbeddedExecutor> {
  const executor = new Executor(options);
  await executor.start();
  return executor;
}

class Executor implements EmbeddedExecutor {
  readonly #engine: Engine;
  readonly #router: Router;
  readonly #lanes: Map<string, Lane>;
  readonly #drivesRuns: boolean;
  /** What works on the lanes' places. */
  readonly #drives = new Set<Promise<void>>();
  #process = 0;
  /** When the last beat was answered, in milliseconds of the process's own clock. */
  #beatenAt = 0;
  #beats = 0;
  #cronsSince = new Date();
  /** Runs that the last beat found owned and not driven, by id and attempt. */
  #orphans = new Set<string>();
  #others = 0;
  #stopping = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | null = null;
  #listener: WakeListener | null = null;
  #life: LifeSign | null = null;
  #clearing: Promise<void> | null = null;
  #startingAnew: Promise<void> | null = null;
  #signals = new Set<string>();
  #signalTimer: NodeJS.Timeout | undefined;

  constructor({
    app = APP_ID,
    functions: all,
    pool,
    concurrency,
    lanes = [],
    drives = true,
    backoffMs = defaultBackoffMs,
  }: EmbeddedExecutorOptions) {
    const specs = toSpecs(app, all);
    guardPool(pool);
    this.#drivesRuns = drives;
    const laneByFunction = new Map(
      lanes.flatMap(({ name, functions }) =>
        functions.map((fn) => [functionIdOf(app, fn), name] as const),
      ),
    );
    this.#engine = {
      pool,
      specs,
      laneOf: (functionId) => laneByFunction.get(functionId) ?? COMMON_LANE,
      deathsMaxOf: (functionId) =>
        lanes.find(({ name }) => name === laneByFunction.get(functionId))?.deathsMax ?? DEATHS_MAX,
      drivers: new Map(),
      backoffMs,
      owner: () => this.#process,
      isStopping: () => this.#stopping,
      processes: () => this.#others + 1,
      wakeAt: (time) => this.#wakeAt(time),
    };
    const places = [{ name: COMMON_LANE, places: concurrency, isShared: false }, ...lanes];
    this.#lanes = new Map(
      places.map(({ name, places: count, isShared }) => [
        name,
        new Lane(
          this.#engine,
          name,
          drives ? count : 0,
          (claim, lane, begun) => this.#drive(claim, lane, begun),
          isShared,
        ),
      ]),
    );
    this.#router = {
      specs,
      laneOf: this.#engine.laneOf,
      onRouted: (routed) => this.#onRouted(routed),
      reserve: (lane) => this.#lanes.get(lane)?.reserve() ?? null,
    };
  }

  /** What is lost of it, and what comes meanwhile, the next signal or beat finds. */
  async #routeStored(): Promise<void> {
    if (this.#stopping) return;
    const { pool } = this.#engine;
    try {
      await routeStored(pool, this.#router, await storedEvents(pool));
    } catch (error) {
      log.warn({ err: error }, "stored events could not be routed; the next beat tries it");
    }
  }

  async start(): Promise<void> {
    const { pool } = this.#engine;
    this.#process = await registerProcess(pool);
    engineState().processId = this.#process;
    if (this.#drivesRuns)
      this.#listener = new WakeListener(
        pool,
        () => this.#process,
        (signal) => {
          if (signal === QUEUE_SIGNAL) this.#fill();
          else if (signal === STORED_SIGNAL) void this.#routeStored();
          else this.#engine.drivers.get(signal)?.wake();
        },
      );
    this.#beatenAt = performance.now();
    this.#life = new LifeSign(pool, () => this.#process, {
      shown: () => {
        this.#beatenAt = performance.now();
      },
      buried: () => void this.#startAnew(),
    });
    routers().push(this.#router);
    // Who takes runs of a lane up makes it known by that; before the first worker nobody has.
    if (!this.#drivesRuns) await knowLanes(pool, [...this.#lanes.keys()]);
    // What a process left that died a moment ago comes first.
    await this.beat();
    this.#schedule();
    engineState().isAlive = () =>
      !this.#stopping && performance.now() - this.#beatenAt < SILENCE_SECONDS * 1_000;
  }

  beat(): Promise<void> {
    this.#beating ??= this.#beat()
      .catch((error: Error) =>
        log.warn({ err: error.message }, "the engine's beat failed; it goes on"),
      )
      .finally(() => {
        this.#beating = null;
      });
    return this.#beating;
  }

  async stop({ graceMs }: { graceMs: number }): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    const { pool, drivers } = this.#engine;
    routers().splice(routers().indexOf(this.#router), 1);
    for (const driver of drivers.values()) driver.wake();
    for (const lane of this.#lanes.values()) lane.suspects.close();
    // It goes on beating while steps end: others must not take them for orphans.
    await this.#drained(graceMs);
    for (const driver of drivers.values()) driver.abandon("stopped");
    // What was cut says what it had used, and lets go of its log, before the run can be another's.
    await this.#drained(CUT_MAX_MS);
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#beating;
    await this.#life?.close();
    await this.#clearing;
    await this.#sendSignals();
    await releaseRuns(pool, this.#process)
      .then(() => unregisterProcess(pool, this.#process))
      .catch((error: Error) =>
        log.warn({ err: error.message }, "the runs of this process are left to be found"),
      );
    // Others learn of them now rather than by their next beat.
    if (this.#others > 0) await this.#notify([QUEUE_SIGNAL]);
    engineState().others = 1;
    await this.#listener?.close();
  }

  /** Resolves when nothing is taken up or driven any more, or so long later. */
  async #drained(limitMs: number): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, limitMs);
    const claims = Promise.all([...this.#lanes.values()].map((lane) => lane.settled()));
    await Promise.race([claims.then(() => Promise.allSettled(this.#drives)), late]);
    clearTimeout(timer);
  }

  #schedule(): void {
    this.#timer = setTimeout(() => void this.beat().finally(() => this.#schedule()), BEAT_MS);
    if (this.#stopped) clearTimeout(this.#timer);
  }

  async #beat(): Promise<void> {
    const { pool, specs } = this.#engine;
    const seen = await beat(pool, this.#process);
    this.#beatenAt = performance.now();
    if (!seen.alive) return this.#startAnew();
    this.#others = seen.processes.length - 1;
    engineState().others = this.#others;
    engineState().waitingLanes = seen.lanes;
    if (seen.buried > 0) this.#onBuried(seen);
    if (this.#others > 0) for (const lane of this.#lanes.values()) lane.suspects.letGo();
    if (this.#stopping || !this.#drivesRuns) return;
    if (seen.unrouted.length > 0) await routeStored(pool, this.#router, seen.unrouted);
    await this.#releaseOrphans(seen);
    const now = new Date();
    const since = this.#cronsSince;
    this.#cronsSince = now;
    await fireCrons(pool, specs.values(), since, now);
    // The database knows a lane from the first time on that somebody takes runs of it up.
    const isFirst = this.#beats === 0;
    for (const name of seen.buried > 0 || isFirst ? this.#lanes.keys() : seen.lanes)
      void this.#lanes.get(name)?.fill();
    if (seen.next_due_ms !== null) this.#wakeAt(Date.now() + Number(seen.next_due_ms));
    if (this.#beats % RECONCILE_EVERY_BEATS === 0 && (await reconcileRuns(pool, this.#engine)) > 0)
      this.#fill();
    if (this.#beats % SWEEP_EVERY_BEATS === 1) this.#clearUp();
    this.#beats += 1;
  }

  #onBuried({ buried, crashed }: Beat): void {
    log.warn({ runs: buried }, "took over the runs of a process that died");
    void tellDeaths(this.#engine.pool).catch((error: Error) =>
      log.warn({ err: error.message }, "what the process held could not be read"),
    );
    // What one process has just died of must not end the last one as well: another may be starting.
    const isLast = crashed && this.#others === 0 && this.#beats > 0;
    for (const { suspects } of this.#lanes.values()) {
      suspects.expect(buried);
      if (isLast) suspects.hold(COMPANION_MS);
    }
  }

  /** Beside all else: nothing waits for it. */
  #clearUp(): void {
    this.#clearing ??= deleteOldRuns(this.#engine.pool, KEEP_HOURS, this.#engine.isStopping)
      .catch((error: Error) =>
        log.warn(
          { err: error.message },
          "clearing up the engine's old rows failed; it is tried again",
        ),
      )
      .finally(() => {
        this.#clearing = null;
      });
  }

  /**
   * This process was given up for dead, and its runs with it: nothing of what it does counts any
   * more. It goes on under another number.
   */
  #startAnew(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#startingAnew ??= this.#registerAnew().finally(() => {
      this.#startingAnew = null;
    });
    return this.#startingAnew;
  }

  async #registerAnew(): Promise<void> {
    log.warn("this process was taken for dead; its runs have gone to others");
    for (const driver of this.#engine.drivers.values()) driver.abandon();
    this.#process = await registerProcess(this.#engine.pool);
    engineState().processId = this.#process;
  }

  /** A run must be found twice: it may be on its way from the claim to its driver. */
  async #releaseOrphans({ owned }: Beat): Promise<void> {
    const { pool, drivers } = this.#engine;
    const orphans = owned.filter(({ id, attempt }) => drivers.get(id)?.attempt !== attempt);
    const again = orphans.filter(({ id, attempt }) => this.#orphans.has(`${id}:${attempt}`));
    this.#orphans = new Set(orphans.map(({ id, attempt }) => `${id}:${attempt}`));
    if (again.length === 0) return;
    await releaseOrphans(pool, this.#process, again);
    this.#fill();
  }

  #onRouted({ lanes, woken }: Routed): void {
    for (const { id, owner } of woken) {
      if (owner === null) this.#fill();
      else if (owner === this.#process) this.#engine.drivers.get(id)?.wake();
      else this.#signalOthers(id);
    }
    for (const name of lanes) this.#fillOrTell(name);
  }

  /** Takes up what waits in a lane; where this process has no place left, others hear of it. */
  #fillOrTell(name: string): void {
    const lane = this.#lanes.get(name);
    if (!lane || lane.isFull) this.#signalOthers(QUEUE_SIGNAL);
    void lane?.fill();
  }

  #fill(): void {
    for (const lane of this.#lanes.values()) void lane.fill();
  }

  #wakeAt(time: number): void {
    const milliseconds = time - Date.now();
    // The beat sets a timer for what comes later.
    if (milliseconds < BEAT_MS)
      setTimeout(() => void this.beat(), Math.max(0, milliseconds) + 1).unref();
  }

  #signalOthers(signal: string): void {
    if (this.#others <= 0) return;
    this.#signals.add(signal);
    this.#signalTimer ??= setTimeout(() => void this.#sendSignals(), SIGNAL_PAUSE_MS);
  }

  async #sendSignals(): Promise<void> {
    clearTimeout(this.#signalTimer);
    this.#signalTimer = undefined;
    const signals = [...this.#signals];
    this.#signals.clear();
    if (signals.length > 0) await this.#notify(signals);
  }

  /** What is lost on the way is found by the others' beats. */
  async #notify(signals: string[]): Promise<void> {
    await this.#engine.pool
      .query("SELECT count(pg_notify($1, signal)) FROM unnest($2::text[]) AS signal", [
        WAKE_CHANNEL,
        signals,
      ])
      .catch((error: Error) =>
        log.warn({ err: error.message }, "other processes were not told of signals"),
      );
  }

  /** Drives a run on a place of its lane that is taken for it, and gives the place back. */
  #drive(claim: Claim, lane: Lane, begun: () => void): void {
    const driven = this.#driveToEnd(claim, lane, begun).finally(() => {
      this.#drives.delete(driven);
      begun();
      lane.leave();
    });
    this.#drives.add(driven);
  }

  async #driveToEnd(claim: Claim, lane: Lane, begun: () => void): Promise<void> {
    const { drivers, specs, pool, backoffMs } = this.#engine;
    const spec = specs.get(claim.functionId);
    if (!spec) return;
    const driver = new RunDriver(this.#engine, claim, spec, lane, begun);
    // Claimed again while it is driven here: the claim before was lost with the database, and the
    // two would have the same number.
    drivers.get(claim.runId)?.abandon();
    drivers.set(claim.runId, driver);
    try {
      await driver.drive();
    } catch (error) {
      const err = error instanceof Error ? error.message : String(error);
      log.error(
        { err, functionId: claim.functionId },
        "a run's driver broke down; it is tried again",
      );
      const dueAt = new Date(Date.now() + backoffMs(claim.takeovers + 1));
      await persist(() => dropRun(pool, claim, dueAt), this.#engine.isStopping);
    } finally {
      if (drivers.get(claim.runId) === driver) drivers.delete(claim.runId);
    }
  }
}

async function knowLanes(pool: pg.Pool, names: string[]): Promise<void> {
  await pool.query(
    "INSERT INTO engine_lanes (lane) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING",
    [names],
  );
}

/**
 * Says what the processes held that were found dead just now; who looks for the cause begins there.
 */
async function tellDeaths(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ process: number; froze: boolean; held: unknown[] }>(
    `SELECT process, froze, held FROM engine_deaths
     WHERE found_at > clock_timestamp() - interval '5 seconds' ORDER BY id`,
  );
  for (const { process, froze, held } of rows)
    log.warn(
      { process, held: held.slice(0, TOLD_RUNS) },
      froze ? "a process froze; it held these runs" : "a process died; it held these runs",
    );
}

const guarded = new WeakSet<pg.Pool>();

/**
 * A connection that is cut while it is checked out and idle emits `error`, and nobody listens:
 * whoever uses it next gets the error from its query.
 */
function guardPool(pool: pg.Pool): void {
  if (guarded.has(pool)) return;
  guarded.add(pool);
  pool.on("connect", (client) => client.on("error", () => {}));
}

/**
 * 1, 2, 4 … s, at most 5 minutes, spread by a fifth so that what failed together does not come back
 * together.
 */
function defaultBackoffMs(failures: number): number {
  return Math.min(300_000, 1_000 * 2 ** (failures - 1)) * (0.9 + Math.random() * 0.2);
}
