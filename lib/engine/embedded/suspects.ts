import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import { log } from "@/lib/platform/log";

/** A run that ends its process does so soon after it began, or after it has asked for something. */
const ASKED_MS = 500;
/** One that asks for nothing has made room by then. */
const TRIAL_MS = 2_000;
/** Who was among several that a process died with more than once is looked at for longer. */
const AGAIN_FACTOR = 4;
/** As many have the whole time; more of them share it. */
const WHOLE_TIMES = 10;
/** How often it looks whether those that began before have become quiet. */
const LOOK_MS = 25;

/** The beginning of a run that a process has died or frozen with, while nothing else begins. */
export interface Trial {
  /** It waits for something outside: what it would have done by itself, it has done. */
  asked(): void;
  /** It has made progress, or ended. */
  end(): void;
}

/**
 * Lets the runs begin one after the other that a process has died or frozen with, and nothing else
 * of the lane beside them, so that the next death names the one that it comes from. A run makes
 * room as soon as it has made progress or ended, or half a second after it began to wait for
 * something outside. Whose turn it is, chance decides: a process that is killed from outside again
 * and again must not find the same run in the beginning each time.
 */
export class SuspectGate {
  readonly #waiting = new Set<(isOpen: boolean) => void>();
  #isTaken = false;
  #isClosed = false;
  #expected = 0;
  #heldUntil = 0;
  #holdTimer: NodeJS.Timeout | undefined;

  constructor(
    /** Whether all that began before has had the time to do harm. */
    readonly isQuiet: () => boolean,
    /** Other runs may begin again. */
    readonly onFree: () => void,
  ) {}

  /** While this is true nothing else of the lane may begin. */
  get isOn(): boolean {
    return this.#isTaken || (this.#waiting.size > 0 && !this.#isHeld);
  }

  get #isHeld(): boolean {
    return performance.now() < this.#heldUntil;
  }

  /** So many runs have lost their process: the more there are, the less time each has. */
  expect(runs: number): void {
    this.#expected += runs;
  }

  /** None begins for so long: the process is the last one, and another may be starting. */
  hold(milliseconds: number): void {
    this.#heldUntil = performance.now() + milliseconds;
    clearTimeout(this.#holdTimer);
    this.#holdTimer = setTimeout(() => this.#next(), milliseconds + 1);
  }

  letGo(): void {
    if (!this.#isHeld) return;
    this.#heldUntil = 0;
    this.#next();
  }

  /** Nobody gets a turn any more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#holdTimer);
    for (const open of this.#waiting) open(false);
    this.#waiting.clear();
  }

  /**
   * Resolves when it is this run's turn; to false when it will not come any more. Whoever has had
   * its turn must call `leave`.
   */
  async enter(): Promise<boolean> {
    if (this.#isClosed) return false;
    const turn = new Promise<boolean>((resolve) => this.#waiting.add(resolve));
    this.#next();
    if (!(await turn)) return false;
    while (!this.isQuiet() && !this.#isClosed) await delay(LOOK_MS);
    if (this.#isClosed) this.leave();
    return !this.#isClosed;
  }

  leave(): void {
    this.#isTaken = false;
    this.#expected = Math.max(0, this.#expected - 1);
    this.#next();
    if (!this.isOn) this.onFree();
  }

  /**
   * Begins the trial of the run whose turn it is.
   * @param suspicions how often it was among several that a process died with
   * @param passed stores that the run has had its time, before the next one begins
   */
  begin(suspicions: number, passed: () => Promise<unknown>): Trial {
    const share =
      Math.min(1, WHOLE_TIMES / Math.max(1, this.#expected)) * (suspicions > 0 ? AGAIN_FACTOR : 1);
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      void passed()
        .catch((error: Error) =>
          log.warn({ err: error.message }, "that a run has had its trial could not be stored"),
        )
        .finally(() => this.leave());
    };
    let timer = setTimeout(end, TRIAL_MS * share);
    let isAsked = false;
    return {
      end,
      asked: () => {
        if (isAsked || isOver) return;
        isAsked = true;
        clearTimeout(timer);
        timer = setTimeout(end, ASKED_MS * share);
      },
    };
  }

  #next(): void {
    if (this.#isTaken || this.#isHeld || this.#waiting.size === 0) return;
    const all = [...this.#waiting];
    const open = all[Math.floor(Math.random() * all.length)];
    if (!open) return;
    this.#waiting.delete(open);
    this.#isTaken = true;
    open(true);
  }
}
