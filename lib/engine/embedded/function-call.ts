import "server-only";
import { createHash } from "node:crypto";
import type { FunctionSpec } from "@/lib/engine/embedded/function-specs";
import type { Asking, EngineEvent, EventWait, Steps } from "@/lib/engine/functions";

/** What a step gave, as it stands in the database: JSON of its result, or of its error. */
export type Memo = { data: string } | { error: string };

/** What the function asks its driver for. */
export type Operation =
  | { op: "StepRun"; id: string; name: string; work: () => unknown }
  | { op: "Sleep"; id: string; name: string; milliseconds: number }
  | { op: "WaitForEvent"; id: string; name: string; wait: EventWait };

/** How a call came to its end. A function that waits for what never comes has no end. */
export type CallOutcome =
  | { kind: "returned"; data: unknown }
  /** `isOfStep`: it is what one of its steps had failed with for good. */
  | { kind: "threw"; error: unknown; isOfStep: boolean };

/** What a step failed with for good, as the function that called it gets it. */
export class StepFailure extends Error {
  constructor(error: { name: string; message: string; stack?: string }) {
    super(error.message);
    this.name = error.name;
    this.stack = error.stack;
  }
}

interface Asked {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * One call of a function from its top: what is known already comes back at once, and each thing
 * that is not is asked for once. It goes on in memory for as long as its driver answers; a driver
 * that lets go of it simply answers no more.
 */
export class FunctionCall implements Steps {
  /** Set when the function has returned or thrown. */
  outcome: CallOutcome | null = null;
  readonly #open = new Map<string, Asked>();
  /** How often each id was used: a second use has a place of its own. */
  readonly #uses = new Map<string, number>();
  readonly #failures = new WeakSet<object>();

  /**
   * @param known what was stored under a step's id
   * @param ask is told of each step, sleep and wait that nothing is stored of; its answer is
   * `answer`, sooner or later or never
   * @param onEnd is told when there is an `outcome`
   */
  constructor(
    readonly known: (id: string) => Memo | undefined,
    readonly ask: (operation: Operation) => void,
    readonly onEnd: () => void,
  ) {}

  begin(handler: FunctionSpec["handler"], event: EngineEvent): void {
    // A function may throw before its first await.
    const ended = (async () => handler({ event, step: this }))();
    const end = (outcome: CallOutcome) => {
      this.outcome = outcome;
      this.onEnd();
    };
    ended.then(
      (data: unknown) => end({ kind: "returned", data }),
      (error: unknown) => end({ kind: "threw", error, isOfStep: this.#isFailure(error) }),
    );
  }

  run<T>(stepId: string, work: () => T | Promise<T>): Promise<T> {
    return this.#take(stepId, (id, name) => ({ op: "StepRun", id, name, work })) as Promise<T>;
  }

  async sleep(stepId: string, milliseconds: number): Promise<void> {
    await this.#take(stepId, (id, name) => ({ op: "Sleep", id, name, milliseconds }));
  }

  waitForEvent(stepId: string, wait: EventWait): Promise<EngineEvent | null> {
    const make = (id: string, name: string): Operation => ({ op: "WaitForEvent", id, name, wait });
    return this.#take(stepId, make) as Promise<EngineEvent | null>;
  }

  async askAndWait<T>(
    { id, work, awaits }: Asking<T>,
    waitId: string,
    wait: EventWait,
  ): Promise<[given: T, event: EngineEvent | null]> {
    const answered = this.waitForEvent(waitId, wait);
    const given = await this.run(id, work);
    return [given, awaits(given) ? await answered : null];
  }

  /** Hands on what has become known. */
  answer(id: string, memo: Memo): void {
    const asked = this.#open.get(id);
    if (!asked) return;
    this.#open.delete(id);
    if ("data" in memo) asked.resolve(JSON.parse(memo.data));
    else asked.reject(this.#toFailure(memo.error));
  }

  #take(stepId: string, make: (id: string, name: string) => Operation): Promise<unknown> {
    const { id, name } = this.#identify(stepId);
    const memo = this.known(id);
    const answered = new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      if (memo) this.answer(id, memo);
      else this.ask(make(id, name));
    });
    // A function that looks at it later, or never, has not crashed the process until then.
    answered.catch(() => {});
    return answered;
  }

  /** As the SDK names steps, so that what it stored is found by them. */
  #identify(name: string): { id: string; name: string } {
    const uses = this.#uses.get(name) ?? 0;
    this.#uses.set(name, uses + 1);
    const indexed = uses === 0 ? name : `${name}:${uses}`;
    return { id: createHash("sha1").update(indexed).digest("hex"), name };
  }

  #toFailure(text: string): StepFailure {
    const failure = new StepFailure(JSON.parse(text) as { name: string; message: string });
    this.#failures.add(failure);
    return failure;
  }

  #isFailure(error: unknown): boolean {
    return typeof error === "object" && error !== null && this.#failures.has(error);
  }
}

/** An error as it is stored. */
export function toStoredError(error: unknown): { name: string; message: string; stack: string } {
  const { name, message, stack } =
    error instanceof Error ? error : new Error(typeof error === "string" ? error : String(error));
  return { name, message, stack: stack ?? "" };
}
