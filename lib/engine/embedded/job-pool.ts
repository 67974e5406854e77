import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import { Logger, runTaskList, type WorkerPool } from "graphile-worker";
import type { Engine } from "@/lib/engine/embedded/engine";
import { Lane } from "@/lib/engine/embedded/lane";
import { persist } from "@/lib/engine/embedded/persist";
import type { ProcessLease } from "@/lib/engine/embedded/process-lease";
import { routeEvent } from "@/lib/engine/embedded/route-event";
import { RunDriver } from "@/lib/engine/embedded/run-driver";
import { enqueueRun } from "@/lib/engine/embedded/run-queue";
import { type Claim, dropRun, findIdleRun } from "@/lib/engine/embedded/run-store";
import { DRIVE_TASK, ROUTE_TASK } from "@/lib/engine/embedded/tasks";
import { log } from "@/lib/platform/log";

/** Notifications and the engine's own beat wake the workers; this is only for when both fail. */
const POLL_MS = 60_000;
/** The time that finished jobs get to be reported as such when the executor ends. */
const REPORT_MS = 3_000;
const DUE = `
  select count(*) filter (where run_at <= now())::int as due, min(run_at) filter (where run_at > now()) as next,
    exists (select 1 from engine_slots where lane is not null) as waiting
  from graphile_worker.jobs where locked_at is null and attempts < max_attempts and run_at < now() + interval '2 seconds'`;

/** Jobs that are looked at side by side. They are short: what they lead to works on places of its own. */
const WORKERS = 10;

/** The workers of this process: each takes a job, which is a mere poke, and sees to it that the run it is about gets its turn in its lane. */
export class JobPool {
  #workers: WorkerPool | null = null;
  readonly #lanes: Map<string, Lane>;
  /** What works on the lanes' places. */
  readonly #drives = new Set<Promise<void>>();
  #release: () => void = () => {};
  /** Resolves when what still works is left to itself. */
  readonly #left = new Promise<void>((resolve) => {
    this.#release = resolve;
  });

  /** @param places of each lane */
  constructor(
    readonly engine: Engine,
    places: ReadonlyMap<string, number>,
    readonly onPool: (name: string) => Promise<void>,
  ) {
    this.#lanes = new Map(
      [...places].map(([name, count]) => [
        name,
        new Lane(engine, name, count, (claim, lane) => this.#drive(claim, claim.attempt === 1, lane)),
      ]),
    );
  }

  async start(): Promise<void> {
    const { engine } = this;
    const workers = runTaskList(
      {
        pgPool: engine.pool,
        concurrency: WORKERS,
        noHandleSignals: true,
        pollInterval: POLL_MS,
        logger: new Logger(toLog),
        // Batches are tried again when the database is away; single jobs would end the process by an unhandled rejection.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      },
      {
        [ROUTE_TASK]: (payload) => this.#run(() => this.#route(idOf(payload))),
        [DRIVE_TASK]: (payload) => this.#run(() => this.#queue(idOf(payload))),
      },
      engine.pool,
    );
    this.#workers = workers;
    // A pool gives itself up after a while without a database; the executor does not.
    void workers.promise
      .catch((error: Error) => log.warn({ err: error.message }, "the engine's workers stopped"))
      .then(() => this.#restart(workers));
    await this.onPool(workers.id);
  }

  /** Looks for jobs at `time`: a local timer is more exact than the beat. */
  wakeAt(time: Date): void {
    const ms = time.getTime() - Date.now();
    if (ms < 2_000) setTimeout(() => this.#workers?.nudge(1), Math.max(0, ms) + 1).unref();
  }

  /** Wakes as many workers as there are jobs due, and sets timers for those that will be before the next beat; looks for runs that wait for a place. */
  async nudgeDue(lease: ProcessLease): Promise<void> {
    const [row] = await lease.query<{ due: number; next: Date | null; waiting: boolean }>(DUE, []);
    if (row?.due) this.#workers?.nudge(Math.min(row.due, WORKERS));
    if (row?.next) this.wakeAt(row.next);
    if (row?.waiting) this.fill();
  }

  /** Takes up what waits, wherever a place is free. */
  fill(): void {
    for (const lane of this.#lanes.values()) void lane.fill();
  }

  /** Lets what runs end for up to `graceMs`, then leaves it. */
  async stop(graceMs: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const driver of this.engine.drivers.values()) driver.abandon();
      this.#release();
    }, graceMs);
    const workers = this.#workers;
    this.#workers = null; // whoever wakes workers that end is told so by an exception
    const stopped = Promise.resolve(workers?.gracefulShutdown()).catch((error: Error) =>
      log.warn({ err: error.message }, "the engine's workers did not stop in order"),
    );
    const ended = Promise.race([Promise.allSettled(this.#drives), this.#left]);
    // Without a database the workers would go on trying to report their jobs.
    await Promise.race([Promise.all([stopped, ended]), delay(graceMs + REPORT_MS, undefined, { ref: false })]);
    clearTimeout(timer);
  }

  async #restart(ended: WorkerPool): Promise<void> {
    if (this.#workers === ended) this.#workers = null;
    if (this.engine.isStopping()) return;
    await delay(1_000);
    if (!this.engine.isStopping()) await this.start();
  }

  #run(work: () => Promise<void>): Promise<void> {
    return Promise.race([work(), this.#left]);
  }

  #persist<T>(work: () => Promise<T>): Promise<T | null> {
    return persist(work, this.engine.isStopping);
  }

  /** Does what an event calls for, and drives what it started. */
  async #route(eventId: string): Promise<void> {
    const started = await this.#persist(async () => {
      const taken: Lane[] = [];
      try {
        const { claims, lanes } = await routeEvent(this.engine, eventId, (name) => this.#takePlace(name, taken));
        for (const claim of claims) {
          const at = taken.findIndex((lane) => lane.name === this.engine.laneOf(claim.functionId));
          for (const lane of taken.splice(at, 1)) this.#drive(claim, true, lane);
        }
        return lanes;
      } finally {
        for (const lane of taken) lane.leave();
      }
    });
    await Promise.all((started ?? []).map((name) => this.#lanes.get(name)?.fillOrTell()));
  }

  #takePlace(name: string, taken: Lane[]): boolean {
    const lane = this.#lanes.get(name);
    if (!lane?.take()) return false;
    taken.push(lane);
    return true;
  }

  /** Has a run that nobody drives wait for its turn, which may be now. */
  async #queue(runId: string): Promise<void> {
    const { engine } = this;
    const lane = await this.#persist(async () => {
      const run = await findIdleRun(engine.pool, runId);
      const spec = run && engine.specs.get(run.functionId);
      if (!spec) return null;
      await enqueueRun(engine.pool, spec, run.event, runId, engine.laneOf(spec.id));
      return engine.laneOf(spec.id);
    });
    if (lane !== null) await this.#lanes.get(lane)?.fillOrTell();
  }

  /** Drives a run on a place of its lane that is taken for it, and gives the place back. */
  #drive(claim: Claim, fresh: boolean, lane: Lane): void {
    const driven = this.#driveToEnd(claim, fresh).finally(() => {
      this.#drives.delete(driven);
      lane.leave();
    });
    this.#drives.add(driven);
  }

  async #driveToEnd(claim: Claim, fresh: boolean): Promise<void> {
    const spec = this.engine.specs.get(claim.functionId);
    if (!spec) return;
    const driver = new RunDriver(this.engine, claim, spec);
    this.engine.drivers.set(claim.runId, driver);
    try {
      await driver.drive(fresh);
    } catch (error) {
      log.error(
        { err: error instanceof Error ? error.message : String(error), functionId: claim.functionId },
        "a run's driver broke down; it is tried again",
      );
      await this.#persist(() => dropRun(this.engine.pool, claim, new Date(Date.now() + this.engine.backoffMs(claim.takeovers + 1))));
    } finally {
      if (this.engine.drivers.get(claim.runId) === driver) this.engine.drivers.delete(claim.runId);
    }
  }
}

function idOf(payload: unknown): string {
  if (typeof payload === "object" && payload !== null && "id" in payload && typeof payload.id === "string") return payload.id;
  throw new Error("A job of the engine carries no id");
}

function toLog() {
  return (level: string, message: string) => {
    if (level === "error") log.error(message);
    else if (level === "warning") log.warn(message);
    else log.trace(message);
  };
}
