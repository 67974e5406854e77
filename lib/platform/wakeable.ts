import "server-only";

const TIMER_MAX_MS = 2 ** 31 - 1;

/** A rest that others may end early. One at a time; a call of `wake` while nobody rests is not remembered. */
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
