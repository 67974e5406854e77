import "server-only";

/**
 * How long a run that a process has died with has the beginning for itself, at most: a run that
 * kills or freezes its process does so soon.
 */
const TRIAL_MS = 1_000;
/** All that wait have begun by then, however many they are. */
const TRIALS_MS = 10_000;

/**
 * Lets the runs begin one after the other that a process has died or frozen with, so that the next
 * death names the one that it comes from. A run makes room as soon as it has made progress or
 * ended; those that only wait for something outside hold nobody up for long. Whose turn it is,
 * chance decides: a process that is killed from outside again and again must not find the same run
 * in the beginning each time.
 */
export class SuspectGate {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /**
   * Resolves when it is this run's turn. @returns makes room for the next one; may be called more
   * than once
   */
  async enter(): Promise<() => void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    let isOver = false;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#next();
    };
    const timer = setTimeout(leave, Math.min(TRIAL_MS, TRIALS_MS / (this.#waiting.length + 1)));
    return leave;
  }

  #next(): void {
    const [next] = this.#waiting.splice(Math.floor(Math.random() * this.#waiting.length), 1);
    if (next) next();
    else this.#isTaken = false;
  }
}
