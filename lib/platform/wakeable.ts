import "server-only";

const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * A rest that others may end early. One at a time; a call of `wake` while nobody rests is not
 * remembered.
 */
export class Wakeable {
  #resolve: () => void = () => {};

  /** Resolves after `ms` or at `wake()`, whichever is first; with null only at `wake()`. */
  async rest(ms: number | null): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#resolve = resolve;
      if (ms !== null) timer = setTimeout(resolve, Math.min(Math.max(0, ms), TIMER_MAX_MS));
    });
    clearTimeout(timer);
    this.#resolve = () => {};
  }

  wake(): void {
    this.#resolve();
  }
}

/**
 * At most so many pieces of work of one key at once; the others of that key wait in turn, and
 * nobody else does.
 */
export class KeyedLimit {
  readonly #keys = new Map<string, { working: number; waiting: (() => void)[] }>();

  constructor(readonly limit: number) {}

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const state = this.#keys.get(key) ?? { working: 0, waiting: [] };
    this.#keys.set(key, state);
    // Who leaves hands its place on, so that nobody overtakes those who wait.
    if (state.working >= this.limit)
      await new Promise<void>((resolve) => state.waiting.push(resolve));
    else state.working += 1;
    try {
      return await work();
    } finally {
      const next = state.waiting.shift();
      if (next) next();
      else {
        state.working -= 1;
        if (state.working === 0) this.#keys.delete(key);
      }
    }
  }
}
