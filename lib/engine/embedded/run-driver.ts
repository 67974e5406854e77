import "server-only";
import { DriveCut, type DrivenWork, type DriveScope, runDriven } from "@/lib/engine/drive";
import type { Claim } from "@/lib/engine/embedded/claim";
import {
  type CallOutcome,
  FunctionCall,
  type Memo,
  type Operation,
  toStoredError,
} from "@/lib/engine/embedded/function-call";
import {
  FUNCTION_FAILED,
  type FunctionSpec,
  sameValue,
} from "@/lib/engine/embedded/function-specs";
import type { Driver, Engine, Lane } from "@/lib/engine/embedded/lane";
import { indexKeyOf } from "@/lib/engine/embedded/router";
import {
  beginTrial,
  passTrial,
  persist,
  readWakes,
  settleRun,
  suspendRun,
} from "@/lib/engine/embedded/run-store";
import {
  fireTimers,
  loadSteps,
  type StoredStep,
  storeSteps,
  storeWait,
} from "@/lib/engine/embedded/step-store";
import type { Trial } from "@/lib/engine/embedded/suspects";
import { ENGINE_LOST } from "@/lib/engine/functions";
import { log } from "@/lib/platform/log";
import { processHooks } from "@/lib/platform/process-hooks.mjs";
import { Wakeable } from "@/lib/platform/wakeable";

const WAITING_OPS = ["Sleep", "WaitForEvent"];
/** A run that has waited for something outside for so long does no harm of its beginning's. */
const CALM_MS = 500;
/** One that waits for nothing has done it by then. */
const CALM_AT_LAST_MS = 2_500;
/** How often it looks whether the trial in another process is over. */
const LOOK_MS = 100;

/** A step that the function has asked for and that is not at its end. */
type Step = Extract<Operation, { op: "StepRun" }>;

/**
 * Drives one claimed run from step to step until it ends, must wait, or is lost to another driver.
 * The function is called once and goes on in memory; only when the run had to be let go of is it
 * called again from its top, with what is stored.
 */
export class RunDriver implements Driver {
  readonly #memos = new Map<string, Memo>();
  #call: FunctionCall | null = null;
  /** When the function is called again after an error of its own; by this process's clock. */
  #callAt = 0;
  /** Steps that the function has asked for in this call; more than one is one too many. */
  readonly #asked = new Map<string, Step>();
  /** A step that failed and is to be tried again. */
  #retry: { id: string; attempt: number; dueAt: number } | null = null;
  #inFlight: Promise<void> | null = null;
  /** Sleeps and waits that are being stored, in order. */
  #storing: Promise<void> = Promise.resolve();
  #storingCount = 0;
  /** Sleeps and waits; a time of null waits for ever. */
  readonly #waits = new Map<string, number | null>();
  /**
   * Whether the function has come to a halt: it waits for nothing but sleeps, waits and retries.
   */
  #isHalted = false;
  #halting: NodeJS.Immediate | null = null;
  #isReplaced = false;
  #ended = false;
  #isOutside = false;
  #signalled = false;
  #isRefused = false;
  #broken: unknown = null;
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
      else if (this.#call?.outcome) await this.#end(this.#call.outcome);
      else if (!this.#call && this.#callAt <= Date.now()) this.#begin();
      else if (!this.#call || this.#isHalted) {
        if (!this.#retryNow() && (await this.#suspend())) return;
      } else await this.#waitForSignal();
    }
    // What is at work ends before what it works with is let go of, but for what never may.
    while (!this.#isRefused && this.#inFlight) await this.#inFlight;
  }

  /**
   * Waits, without a place, until this run may begin by itself. False when it will not: this
   * process stops, or the run is another's.
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
    // A step that is at work here says itself how it ends, once its work is over too.
    for (const step of stored ?? []) if (!this.#asked.has(step.id)) this.#learn(step);
  }

  #learn(step: StoredStep): void {
    if (step.done) {
      if (this.#memos.has(step.id)) return;
      const memo: Memo =
        step.error === null ? { data: step.data ?? "null" } : { error: step.error };
      this.#memos.set(step.id, memo);
      if (this.#retry?.id === step.id) this.#retry = null;
      this.#waits.delete(step.id);
      this.claim.failures = 0;
      this.#callAt = 0;
      if (this.#isTried) {
        this.#progressed = true;
        this.#trial?.end();
      }
      this.#call?.answer(step.id, memo);
      this.#lookForHalt();
    } else if (WAITING_OPS.includes(step.op))
      this.#waits.set(step.id, step.dueAt?.getTime() ?? null);
    else if (!this.#inFlight)
      this.#retry = { id: step.id, attempt: step.attempt, dueAt: step.dueAt?.getTime() ?? 0 };
  }

  /** Calls the function from its top. */
  #begin(): void {
    this.#tellWatchdog();
    this.#asked.clear();
    const call = new FunctionCall(
      (id) => this.#memos.get(id),
      (operation) => {
        if (call === this.#call) this.#take(operation);
      },
      () => this.#rest.wake(),
    );
    this.#call = call;
    const { spec, claim } = this;
    runDriven(this.#work(null), () => call.begin(spec.handler, claim.event));
    this.#lookForHalt();
  }

  #work(step: DrivenWork["step"]): DrivenWork {
    const { runId: run, attempt, owner } = this.claim;
    return {
      scope: this.#scope,
      fence: { run, attempt, owner },
      step,
      onFolded: (id) => this.#folded.add(id),
      onEnded: () => {
        this.#ended = true;
      },
    };
  }

  #take(operation: Operation): void {
    this.#isHalted = false;
    if (operation.op !== "StepRun") {
      if (!this.#waits.has(operation.id)) this.#storeWait(operation);
      this.#lookForHalt();
      return;
    }
    this.#asked.set(operation.id, operation);
    // What is stored first ends first, and what the function asks for together is seen together.
    void this.#storing.then(() => this.#startStep(operation));
  }

  #startStep(step: Step): void {
    if (this.#isOver() || this.#asked.get(step.id) !== step) return;
    const [one, other] = this.#asked.values();
    if (one && other) {
      this.#asked.clear();
      void this.#refuse(`parallel steps ("${one.name}" and "${other.name}")`);
      return;
    }
    // One that was to be tried again, and that the function no longer comes to, is left.
    if (this.#retry && this.#retry.id !== step.id) this.#retry = null;
    if (this.#retry && this.#retry.dueAt > Date.now()) this.#lookForHalt();
    else this.#runStep(step, this.#retry?.attempt ?? 0);
  }

  /** What starts a run's function has the run's id. */
  #tellWatchdog(): void {
    processHooks().doing?.(`${this.claim.functionId} ${this.claim.event.id}`);
  }

  #runStep(step: Step, attempt: number): void {
    this.#tellWatchdog();
    this.#retry = null;
    this.#isHalted = false;
    const working: Promise<void> = this.#workOff(step, attempt)
      .catch((error: unknown) => this.#breakDown(error))
      .finally(() => {
        // The function may have gone on to its next step by now.
        if (this.#inFlight === working) this.#inFlight = null;
        this.#rest.wake();
      });
    this.#inFlight = working;
  }

  async #workOff({ id, name, work }: Step, attempt: number): Promise<void> {
    const stored: StoredStep = {
      ...{ id, op: "StepRun", name, done: true, data: null, error: null, attempt: 0, dueAt: null },
    };
    try {
      const data: unknown = await runDriven(this.#work({ id, name }), async () => work());
      stored.data = JSON.stringify(data ?? null);
    } catch (error) {
      if (this.#isReplaced) return;
      if (isNamed(error, "RetryAfterError")) return this.#refuse("RetryAfterError");
      const isLast = attempt >= this.spec.retries || isNamed(error, "NonRetriableError");
      const note = { err: error, functionId: this.claim.functionId, step: name, attempt };
      log[isLast ? "error" : "warn"](note, isLast ? "a step failed" : "a step is tried again");
      if (!isLast) return this.#tryLater({ id, name }, attempt + 1);
      stored.op = "StepFailed";
      stored.error = JSON.stringify(toStoredError(error));
    }
    if (this.#ended || (await this.#store(stored))) {
      this.#asked.delete(id);
      this.#learn(stored);
    }
  }

  /** False when the run is another's. */
  async #store(step: StoredStep): Promise<boolean> {
    if (this.#folded.has(step.id)) return !this.#isReplaced;
    const held = await this.#persist(() => storeSteps(this.engine.pool, this.claim, [step]));
    if (!held) this.abandon();
    return held === true;
  }

  async #tryLater({ id, name }: { id: string; name: string }, attempt: number): Promise<void> {
    const dueAt = Date.now() + this.engine.backoffMs(attempt);
    const step: StoredStep = {
      ...{ id, op: "StepError", name, done: false, data: null, error: null, attempt },
      dueAt: new Date(dueAt),
    };
    if (!(await this.#store(step))) return;
    this.#retry = { id, attempt, dueAt };
    this.#lookForHalt();
  }

  /** Stores a sleep or a wait; what is asked for after it begins when that is done. */
  #storeWait(operation: Exclude<Operation, Step>): void {
    const { pool } = this.engine;
    const { id, op, name } = operation;
    const ms = op === "Sleep" ? operation.milliseconds : operation.wait.timeoutSeconds * 1_000;
    const dueAt = new Date(Date.now() + Math.max(0, ms));
    const store = () => {
      if (op === "Sleep") {
        const step = { id, op, name, done: false, data: null, error: null, attempt: 0, dueAt };
        return storeSteps(pool, this.claim, [step]);
      }
      const { event, match } = operation.wait;
      const bound = sameValue(match.field, match.value);
      return storeWait(pool, this.claim, {
        ...{ stepId: id, name, event, matchValue: indexKeyOf(bound), dueAt },
        conditions: JSON.stringify([bound]),
      });
    };
    this.#waits.set(id, dueAt.getTime());
    this.#storingCount += 1;
    this.#storing = this.#storing
      .then(() => (this.#isOver() ? null : this.#persist(store)))
      .then((held) => {
        if (held === false) this.abandon();
      })
      .catch((error: unknown) => this.#breakDown(error))
      .finally(() => {
        this.#storingCount -= 1;
        this.#lookForHalt();
      });
  }

  /**
   * Looks whether the function has come to a halt, once it has had its turn: it goes on within the
   * turn of the event loop in which something it waited for has come.
   */
  #lookForHalt(): void {
    this.#isHalted = false;
    if (this.#halting || (this.#waits.size === 0 && !this.#retry)) return;
    this.#halting = setImmediate(() => {
      this.#halting = null;
      this.#isHalted =
        this.#call !== null &&
        this.#call.outcome === null &&
        !this.#inFlight &&
        this.#storingCount === 0 &&
        [...this.#asked.keys()].every((id) => id === this.#retry?.id) &&
        (this.#waits.size > 0 || this.#asked.size > 0);
      this.#rest.wake();
    });
  }

  /** True when it started the step whose time has come. */
  #retryNow(): boolean {
    const step = this.#retry && this.#asked.get(this.#retry.id);
    if (!step || !this.#retry || this.#retry.dueAt > Date.now()) return false;
    this.#runStep(step, this.#retry.attempt);
    return true;
  }

  async #end(outcome: CallOutcome): Promise<void> {
    this.#call = null;
    if (outcome.kind === "returned") return this.#settle({ data: outcome.data });
    const { error, isOfStep } = outcome;
    if (isNamed(error, "RetryAfterError")) return this.#refuse("RetryAfterError");
    const isFinal = isOfStep || isNamed(error, "NonRetriableError");
    this.claim.failures += 1;
    if (isFinal || this.claim.failures > this.spec.retries)
      return this.#settle({ error: toStoredError(error) });
    const { functionId } = this.claim;
    log.warn({ err: error, functionId }, "a function failed between its steps; it is called again");
    this.#callAt = Date.now() + this.engine.backoffMs(this.claim.failures);
  }

  async #refuse(what: string): Promise<void> {
    this.#isRefused = true;
    log.error(
      { functionId: this.claim.functionId, what },
      "a function is refused, and its run fails",
    );
    await this.#settle({
      error: { name: "Error", message: `The embedded executor does not support ${what}` },
    });
    this.#rest.wake();
  }

  /** What the database refuses for good is thrown where the drive is waited for. */
  #breakDown(error: unknown): void {
    this.#broken ??= error;
    this.#rest.wake();
  }

  /** True when the run was put to sleep and this driver is done. */
  async #suspend(): Promise<boolean> {
    const nextAt = this.#nextAt();
    const dueAt = nextAt === null ? null : new Date(nextAt);
    const asleep = await this.#persist(() =>
      suspendRun(this.engine.pool, this.claim, dueAt, this.#progressed),
    );
    if (asleep && nextAt !== null) this.engine.wakeAt(nextAt);
    // The function that waits in memory is answered no more.
    if (asleep) this.#call = null;
    else this.#signalled = true;
    return asleep === true;
  }

  #nextAt(): number | null {
    const times = this.#retry ? [this.#retry.dueAt] : [];
    if (!this.#call) times.push(this.#callAt);
    for (const time of this.#waits.values()) if (time !== null) times.push(time);
    return times.length > 0 ? Math.min(...times) : null;
  }

  async #waitForSignal(): Promise<void> {
    const times = [...this.#waits.values()].filter((time) => time !== null);
    const nextAt = times.length > 0 ? Math.min(...times) : null;
    await this.#rest.rest(nextAt === null ? null : nextAt - Date.now());
    if (this.#broken) throw this.#broken;
    // A wait that ended meanwhile is found in the database.
    if (times.some((time) => time <= Date.now())) this.#signalled = true;
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
  return spec.events.some(({ name }) => name === FUNCTION_FAILED);
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
