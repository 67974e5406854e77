import { freshAddress } from "./fresh-address";

const AT_ONCE = 4;
const BATCH = 20;
const TRIES = 4;
/** A wait as long as so many of those that harmless texts cause, or of a piece of computing. */
const TIMES = 5;

/** Asks a service for its health again and again, and notes how long it had to wait. */
export class LoopWatch {
  #worst = 0;
  /** When the question was asked that is not answered yet. */
  #askedAt = 0;
  /** When the look began that is being taken: what was waited before is no part of it. */
  #since = 0;
  #on = true;
  readonly #asking: Promise<void>;

  constructor(private readonly baseUrl: string) {
    this.#asking = this.#ask();
  }

  async #ask(): Promise<void> {
    const url = new URL("/api/health", this.baseUrl);
    const address = freshAddress();
    this.#askedAt = performance.now();
    while (this.#on) {
      try {
        const answer = await fetch(url, { headers: { "x-forwarded-for": address } });
        await answer.arrayBuffer();
      } catch {
        // A service that stood still closes idle connections when it goes on. The wait goes on too.
        continue;
      }
      this.#worst = Math.max(this.#worst, this.#waited());
      this.#askedAt = performance.now();
    }
  }

  #waited(): number {
    return performance.now() - Math.max(this.#askedAt, this.#since);
  }

  /** The longest wait for an answer, in milliseconds, while `work` was done. */
  async worstDuring(work: () => Promise<unknown>): Promise<number> {
    this.#since = performance.now();
    this.#worst = 0;
    await work();
    return Math.max(this.#worst, this.#waited());
  }

  async stop(): Promise<void> {
    this.#on = false;
    await this.#asking;
  }
}

/** Milliseconds that this machine takes for a fixed piece of computing. */
function unit(): number {
  const before = performance.now();
  let sum = 0;
  for (let turn = 0; turn < 12_000_000; turn += 1) sum = Math.imul(sum + turn, 31) ^ (sum >>> 7);
  return performance.now() - before + (sum === 0 ? 1 : 0);
}

async function sendAll(texts: readonly string[], send: (text: string) => Promise<unknown>) {
  const left = [...texts];
  const lane = async () => {
    for (let text = left.shift(); text !== undefined; text = left.shift()) await send(text);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

function harmless(text: string): string {
  return "plain words ".repeat(text.length / 12 + 1).slice(0, text.length);
}

/**
 * Sends the texts in batches, and answers those that made others wait. Where somebody had to wait
 * long meanwhile, each text of the batch is sent alone: it is guilty when that makes them wait each
 * time it is tried, longer than a harmless text of its size does, as other work only ever adds.
 */
export async function guiltyTexts(
  watch: LoopWatch,
  texts: readonly string[],
  send: (text: string) => Promise<unknown>,
): Promise<string[]> {
  const guilty: string[] = [];
  const allowed = async (some: readonly string[]) => {
    const usual = await watch.worstDuring(() => sendAll(some.map(harmless), send));
    return TIMES * Math.max(unit(), usual);
  };
  for (let at = 0; at < texts.length; at += BATCH) {
    const batch = texts.slice(at, at + BATCH);
    const worst = await watch.worstDuring(() => sendAll(batch, send));
    if (worst <= TIMES * unit() || worst <= (await allowed(batch))) continue;
    for (const text of batch) {
      let isGuilty = true;
      let waited = 0;
      for (let tried = 0; tried < TRIES && isGuilty; tried += 1) {
        waited = await watch.worstDuring(() => send(text));
        isGuilty = waited > TIMES * unit() && waited > (await allowed([text]));
      }
      if (isGuilty) guilty.push(`${waited.toFixed(0)} ms: ${JSON.stringify(text.slice(0, 80))}`);
    }
  }
  return guilty;
}
