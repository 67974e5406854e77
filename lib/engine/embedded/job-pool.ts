import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import { Logger, runTaskList, type WorkerPool } from "graphile-worker";
import type { Engine } from "@/lib/engine/embedded/engine";
import { persist } from "@/lib/engine/embedded/persist";
import type { ProcessLease } from "@/lib/engine/embedded/process-lease";
import { routeEvent } from "@/lib/engine/embedded/route-event";
import { RunDriver } from "@/lib/engine/embedded/run-driver";
import { type Claim, claimRun, dropRun } from "@/lib/engine/embedded/run-store";
import { DRIVE_TASK, ROUTE_TASK } from "@/lib/engine/embedded/tasks";
import { log } from "@/lib/platform/log";

/** Notifications and the engine's own beat wake the workers; this is only for when both fail. */
const POLL_MS = 60_000;
/** The time that finished jobs get to be reported as such when the executor ends. */
const REPORT_MS = 3_000;
const DUE = `
  select count(*) filter (where run_at <= now())::int as due, min(run_at) filter (where run_at > now()) as next
  from graphile_worker.jobs where locked_at is null and attempts < max_attempts and run_at < now() + interval '2 seconds'`;

/** The workers of this process: each takes a job, and drives the run that the job is about for as long as that takes. */
export class JobPool {
  #workers: WorkerPool | null = null;
  #release: () => void = () => {};
  /** Resolves when the jobs that still run are left to themselves. */
  readonly #left = new Promise<void>((resolve) => {
    this.#release = resolve;
  });

  constructor(
    readonly engine: Engine,
    readonly concurrency: number,
    readonly onPool: (name: string) => Promise<void>,
  ) {}

  async start(): Promise<void> {
    const { engine, concurrency } = this;
    const workers = runTaskList(
      {
        pgPool: engine.pool,
        concurrency,
        noHandleSignals: true,
        pollInterval: POLL_MS,
        logger: new Logger(toLog),
        // Batches are tried again when the database is away; single jobs would end the process by an unhandled rejection.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      },
      {
        [ROUTE_TASK]: (payload) => this.#run(async () => this.#driveAll(await this.#persist(() => routeEvent(engine, idOf(payload))))),
        [DRIVE_TASK]: (payload) =>
          this.#run(async () =>
            this.#drive(await this.#persist(() => claimRun(engine.pool, engine.specs, idOf(payload), engine.owner())), false),
          ),
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

  /** Wakes as many workers as there are jobs due, and sets timers for those that will be before the next beat. */
  async nudgeDue(lease: ProcessLease): Promise<void> {
    const [row] = await lease.query<{ due: number; next: Date | null }>(DUE, []);
    if (row?.due) this.#workers?.nudge(Math.min(row.due, this.concurrency));
    if (row?.next) this.wakeAt(row.next);
  }

  /** Lets the jobs that run end for up to `graceMs`, then leaves them. */
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
    // Without a database the workers would go on trying to report their jobs.
    await Promise.race([stopped, delay(graceMs + REPORT_MS, undefined, { ref: false })]);
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

  async #driveAll(claims: Claim[] | null): Promise<void> {
    await Promise.all((claims ?? []).map((claim) => this.#drive(claim, true)));
  }

  async #drive(claim: Claim | null, fresh: boolean): Promise<void> {
    const spec = claim && this.engine.specs.get(claim.functionId);
    if (!claim || !spec) return;
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
