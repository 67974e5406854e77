import { freshAddress } from "./fresh-address";

/** Asks a service for its health again and again, and notes how long it had to wait. */
export class LoopWatch {
  #worst = 0;
  #on = true;
  readonly #asking: Promise<void>;

  constructor(private readonly baseUrl: string) {
    this.#asking = this.#ask();
  }

  async #ask(): Promise<void> {
    const url = new URL("/api/health", this.baseUrl);
    const address = freshAddress();
    while (this.#on) {
      const before = performance.now();
      const answer = await fetch(url, { headers: { "x-forwarded-for": address } });
      await answer.arrayBuffer();
      this.#worst = Math.max(this.#worst, performance.now() - before);
    }
  }

  /** The longest wait for an answer, in milliseconds, while `work` was done. */
  async worstDuring(work: () => Promise<unknown>): Promise<number> {
    this.#worst = 0;
    await work();
    return this.#worst;
  }

  async stop(): Promise<void> {
    this.#on = false;
    await this.#asking;
  }
}
