import "server-only";
import type { FunctionSpec } from "@/lib/engine/embedded/functions";
import type { Driver, Engine, Lane } from "@/lib/engine/embedded/lane";
import {
  type CallOutcome,
  type CallRequest,
  type Claim,
  callFunction,
  DriveCut,
  type DriveScope,
  type Operation,
} from "@/lib/engine/embedded/protocol";
import {
  beginTrial,
  passTrial,
  persist,
  readWakes,
  registerWait,
  settleRun,
  suspendRun,
} from "@/lib/engine/embedded/run-store";
import {
  fireTimers,
  loadSteps,
  type StoredStep,
  storeSteps,
  toDoneStep,
} from "@/lib/engine/embedded/step-store";
import type { Trial } from "@/lib/engine/embedded/suspects";
import { processHooks } from "@/lib/platform/process-hooks.mjs";
import { Wakeable } from "@/lib/platform/wakeable";

/** The name of the error of a run that its processes died or froze over. */
export const ENGINE_LOST = "EngineLost";
const WAITING_OPS = ["Sleep", "WaitForEvent"];
/** A run that has waited for something outside for so long does no harm of its beginning's. */
const CALM_MS = 500;
/** One that waits for nothing has done it by then. */
const CALM_AT_LAST_MS = 2_500;
/** How often it looks whether the trial in another process is over. */
const LOOK_MS = 100;

/**
 * Drives one claimed run from step to step until it ends, must wait, or is lost to another driver.
 */
export class RunDriver implements Driver {
  readonly #memos: CallRequest["steps"] = {};
  /** The step to run on its own: beside what waits, or to be tried again. */
  #open: { id: string; name: string; attempt: number; dueAt: number } | null = null;
  #inFlight: Promise<void> | null = null;
  /** Steps that wait for time or a signal; a time of null waits for ever. */
  readonly #waits = new Map<string, number | null>();
  #advanceAt: number | null = 0;
  #isReplaced = false;
  #ended = false;
  #isOutside = false;
  #signalled = false;
  /** Its beginning by itself, after a death that it may have caused. */
  #trial: Trial | null = null;
  #calmAt = performance.now() + CALM_AT_LAST_MS;
  /** Whether a step ended since the deaths that are counted. */
  #progressed = false;
  /** Set once what was stored before is read: what is learned from then on is progress. */
  #isTried = false;
  readonly #rest = new Wakeable();
  /** Steps whose results were stored by the work itself. */
  readonly #folded = new Set<string>();
  readonly #abandoned = new AbortController();
  readonly #scope: DriveScope;

  constructor(
    readonly engine: Engine,
    readonly claim: Claim,
    readonly spec: FunctionSpec,
    readonly lane: Pick<Lane, "name" | "outside" | "suspects">,
    begun: () => void,
  ) {
    const { signal } = this.#abandoned;
    this.#scope = {
      values: new Map(),
      onEnd: [],
      begun,
      outside: (wait) => this.#outside(wait),
      signal,
    };
  }

  get attempt(): number {
    return this.claim.attempt;
  }

  get isCalm(): boolean {
    return performance.now() >= this.#calmAt;
  }

  /** A run has one place: of several waits at once the first gives it back, and takes it again. */
  async #outside<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#isOutside) return wait();
    this.#isOutside = true;
    this.#trial?.asked();
    this.#calmAt = Math.min(this.#calmAt, performance.now() + CALM_MS);
    try {
      return await this.lane.outside(wait, this.#abandoned.signal);
    } finally {
      this.#isOutside = false;
      this.#tellWatchdog();
    }
  }

  /**
   * Tells the driver that something outside changed its run: an event that it waits for, its
   * cancellation.
   */
  wake(): void {
    this.#signalled = true;
    this.#rest.wake();
  }

  /**
   * Another driver has the run, or will: nothing more is stored, and the function halts at its next
   * step.
   */
  abandon(why: DriveCut["why"] = "taken_over"): void {
    this.#isReplaced = true;
    this.#abandoned.abort(new DriveCut(why));
    this.#rest.wake();
  }

  /**
   * Resolves when this driver has nothing more to do. A run that was left half-way is taken up by
   * whoever comes next.
   */
  async drive(): Promise<void> {
    try {
      await this.#drive();
    } finally {
      // Before the run can be another's: what this one held goes back first.
      for (const end of this.#scope.onEnd) await end();
    }
  }

  async #drive(): Promise<void> {
    const { engine, claim } = this;
    if (claim.takeovers >= engine.deathsMaxOf(claim.functionId))
      return this.#settle({
        error: {
          name: ENGINE_LOST,
          message: "The process died or froze again and again in this step",
        },
      });
    if (claim.takeovers > 0 && !(await this.#beginTrial())) return;
    const { failures } = this.claim;
    if (this.claim.attempt > 1) await this.#reload();
    // What was known before is no progress.
    this.claim.failures = failures;
    this.#isTried = true;
    while (!this.#isOver()) {
      if (this.#signalled) await this.#reload();
      else if (this.#advanceAt !== null && this.#advanceAt <= Date.now()) await this.#advance();
      else if (!this.#startOpenStep() && (await this.#pause())) return;
    }
    if (this.engine.isStopping()) await Promise.allSettled([this.#inFlight]);
  }

  /**
   * Waits, without a place, until this run may begin by itself. False when it will not: this process
   * stops, or the run is another's.
   */
  async #beginTrial(): Promise<boolean> {
    const { engine, claim, lane } = this;
    this.#calmAt = 0;
    if (!(await lane.outside(() => lane.suspects.enter(), this.#abandoned.signal))) return false;
    let suspicions: number | null = -1;
    while (suspicions === -1 && !this.#isOver()) {
      suspicions = await this.#persist(() => beginTrial(engine.pool, claim));
      if (suspicions === -1) await this.#rest.rest(LOOK_MS);
    }
    if (suspicions === null || suspicions === -1) {
      lane.suspects.leave();
      if (suspicions === null) this.abandon();
      return false;
    }
    this.#trial = lane.suspects.begin(suspicions, () => passTrial(engine.pool, claim));
    this.#scope.onEnd.push(() => this.#trial?.end());
    return true;
  }

  #isOver(): boolean {
    return this.#isReplaced || this.#ended || this.engine.isStopping();
  }

  /** Reads what others stored: events that arrived, timers that are due. */
  async #reload(): Promise<void> {
    this.#signalled = false;
    const { engine, claim } = this;
    // The counter first: a signal after it keeps the driver from falling asleep.
    const wakes = await this.#persist(() => readWakes(engine.pool, claim));
    if (wakes === null || !(await this.#persist(() => fireTimers(engine.pool, claim))))
      return this.abandon();
    claim.wakes = wakes;
    const stored = await this.#persist(() => loadSteps(engine.pool, claim.runId));
    for (const step of stored ?? []) this.#learn(step);
  }

  #learn(step: StoredStep): void {
    if (step.done) {
      if (step.id in this.#memos) return;
      this.#memos[step.id] =
        step.error === null
          ? { type: "data", data: parse(step.data) }
          : { type: "error", error: parse(step.error) };
      if (this.#open?.id === step.id) this.#open = null;
      this.#waits.delete(step.id);
      this.claim.failures = 0;
      if (this.#isTried) {
        this.#progressed = true;
        this.#trial?.end();
      }
      this.#advanceAt = 0;
    } else if (WAITING_OPS.includes(step.op))
      this.#waits.set(step.id, step.dueAt?.getTime() ?? null);
    else if (!this.#inFlight)
      this.#open = {
        id: step.id,
        name: step.name,
        attempt: step.attempt,
        dueAt: step.dueAt?.getTime() ?? 0,
      };
  }

  /**
   * Calls the function: it runs on from what is known, stores each step as it ends, and tells what
   * it needs next.
   */
  async #advance(): Promise<void> {
    this.#advanceAt = null;
    const outcome = await this.#call(null, this.claim.failures);
    if (this.#isOver()) return;
    if (outcome.kind === "completed") return this.#settle({ data: outcome.output });
    if (outcome.kind === "failed") return this.#fail(outcome);
    const [one, other] = outcome.steps.filter(({ op }) => op === "StepPlanned");
    if (one && other) return this.#refuseParallel(one, other);
    for (const step of outcome.steps) await this.#take(step, this.claim.failures);
  }

  async #call(stepId: string | null, attempt: number): Promise<CallOutcome> {
    const { engine, claim, spec } = this;
    const { id, name, data, ts } = claim.event;
    this.#tellWatchdog();
    return callFunction(engine.handler, {
      claim,
      scope: this.#scope,
      folded: this.#folded,
      onEnded: () => {
        this.#ended = true;
      },
      stepId,
      event: { id, name, data, ts },
      steps: this.#memos,
      attempt,
      maxAttempts: spec.retries + 1,
      planOnly: stepId === null && this.#open !== null,
      checkpoint: async (steps) =>
        this.#ended || ((await this.#store(steps.map(toDoneStep))) && !this.#isOver()),
    });
  }

  /** What starts a run's function has the run's id. */
  #tellWatchdog(): void {
    processHooks().doing?.(`${this.claim.functionId} ${this.claim.event.id}`);
  }

  async #take(step: Operation, attempt: number): Promise<void> {
    // It ended while the function was asked what comes next.
    if (step.id in this.#memos) return;
    if (step.op === "StepRun" || step.op === "StepFailed") await this.#store([toDoneStep(step)]);
    else if (step.op === "StepError") await this.#retryLater(step, attempt + 1);
    else if (step.op === "StepPlanned") await this.#plan(step);
    else if (WAITING_OPS.includes(step.op)) await this.#wait(step);
    else await this.#refuse(`${step.op} (step "${step.name}")`);
  }

  async #plan(step: Operation): Promise<void> {
    const { id, name } = step;
    if (this.#open?.id === id) return;
    if (this.#open && this.#inFlight) return this.#refuseParallel(this.#open, step);
    // One that was to be tried again, and that the function no longer comes to, is left.
    this.#open = { id, name, attempt: 0, dueAt: 0 };
  }

  #refuseParallel(one: { name: string }, other: { name: string }): Promise<void> {
    return this.#refuse(`parallel steps ("${one.name}" and "${other.name}")`);
  }

  async #refuse(what: string): Promise<void> {
    await this.#settle({
      error: { name: "Error", message: `The embedded executor does not support ${what}` },
    });
  }

  async #wait(step: Operation): Promise<void> {
    if (this.#waits.has(step.id)) return;
    try {
      const dueAt = await this.#persist(() => registerWait(this.engine.pool, this.claim, step));
      if (dueAt === null) return this.abandon();
      this.#waits.set(step.id, dueAt.time?.getTime() ?? null);
    } catch (error) {
      await this.#settle({
        error: {
          name: "Error",
          message: `Step "${step.name}": ${error instanceof Error ? error.message : String(error)}`,
        },
      });
    }
  }

  async #retryLater({ id, op, name }: Operation, attempt: number): Promise<void> {
    const dueAt = Date.now() + this.engine.backoffMs(attempt);
    const held = await this.#store([
      { id, op, name, done: false, data: null, error: null, attempt, dueAt: new Date(dueAt) },
    ]);
    if (held) this.#open = { id, name, attempt, dueAt };
  }

  /** An error of the function itself, between its steps. */
  async #fail({ error, retriable }: CallOutcome & { kind: "failed" }): Promise<void> {
    this.claim.failures += 1;
    if (!retriable || this.claim.failures > this.spec.retries) return this.#settle({ error });
    this.#advanceAt = Date.now() + this.engine.backoffMs(this.claim.failures);
  }

  async #store(steps: StoredStep[]): Promise<boolean> {
    const missing = steps.filter(({ id }) => !this.#folded.has(id));
    const held =
      missing.length === 0 ||
      (await this.#persist(() => storeSteps(this.engine.pool, this.claim, missing)));
    if (!held) this.abandon();
    else for (const step of steps) this.#learn(step);
    return held === true;
  }

  /** True when it started one. */
  #startOpenStep(): boolean {
    if (!this.#open || this.#inFlight || this.#open.dueAt > Date.now()) return false;
    this.#inFlight = this.#runStep(this.#open.id, this.#open.attempt).finally(() => {
      this.#inFlight = null;
      this.#rest.wake();
    });
    return true;
  }

  async #runStep(id: string, attempt: number): Promise<void> {
    try {
      const outcome = await this.#call(id, attempt);
      if (this.#isReplaced) return;
      if (outcome.kind === "steps")
        for (const step of outcome.steps) await this.#take(step, attempt);
      else {
        // The function no longer comes to this step: let it say anew what it wants.
        this.#open = null;
        if (outcome.kind === "failed") await this.#fail(outcome);
        else this.#advanceAt = 0;
      }
    } catch (error) {
      await this.#fail({
        kind: "failed",
        error: { name: "Error", message: String(error) },
        retriable: true,
      });
    }
  }

  /** Waits for what comes next. True when the run was put to sleep and this driver is done. */
  async #pause(): Promise<boolean> {
    const nextAt = this.#nextAt();
    if (this.#inFlight) {
      await this.#waitForSignal(nextAt);
      return false;
    }
    const dueAt = nextAt === null ? null : new Date(nextAt);
    const asleep = await this.#persist(() =>
      suspendRun(this.engine.pool, this.claim, dueAt, this.#progressed),
    );
    if (asleep && nextAt !== null) this.engine.wakeAt(nextAt);
    if (!asleep) this.#signalled = true;
    return asleep === true;
  }

  #nextAt(): number | null {
    const times = this.#open && !this.#inFlight ? [this.#open.dueAt] : [];
    for (const time of [this.#advanceAt, ...this.#waits.values()])
      if (time !== null) times.push(time);
    return times.length > 0 ? Math.min(...times) : null;
  }

  async #waitForSignal(time: number | null): Promise<void> {
    if (this.#signalled || this.#isReplaced) return;
    await this.#rest.rest(time === null ? null : time - Date.now());
    // A wait that ended meanwhile is found in the database.
    if ([...this.#waits.values()].some((dueAt) => dueAt !== null && dueAt <= Date.now()))
      this.#signalled = true;
  }

  async #settle(outcome: { data: unknown } | { error: unknown }): Promise<void> {
    const options = { tellFailure: [...this.engine.specs.values()].some(listensForFailures) };
    await this.#persist(() => settleRun(this.engine.pool, this.claim, outcome, options));
    this.#ended = true;
  }

  #persist<T>(write: () => Promise<T>): Promise<T | null> {
    return persist(write, () => this.#isReplaced);
  }
}

function listensForFailures(spec: FunctionSpec): boolean {
  return spec.events.some(({ name }) => name === "inngest/function.failed");
}

function parse(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}
