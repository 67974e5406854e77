import "server-only";
import { type EventHub, eventHub, type Follower } from "@/lib/engine/events/event-hub";
import { type EventBatch, isTerminalLine, readBatches } from "@/lib/engine/events/event-rows";
import { retryTransient } from "@/lib/platform/is-transient-error";
import { Wakeable } from "@/lib/platform/wakeable";

export interface FollowOptions {
  /** Lines with greater numbers are given; -1 for all. */
  after: number;
  signal: AbortSignal;
  hub?: EventHub;
}

/**
 * A follower that reads more slowly than this drops what it holds and reads it from the database
 * when it comes to it.
 */
const BUFFER_MAX_CHARACTERS = 1_000_000;
const BATCHES_A_READ = 64;
/** How long the database may be away before the stream is given up. */
const GIVE_UP_MS = 15_000;

/**
 * A run's stored lines, then those to come: in order, each once, none left out, up to the terminal
 * one; then it ends.
 * It ends at once when the log is not there (any more), and when `signal` aborts. Throws when the
 * database cannot be read for 15 s.
 */
export function followRunLog(
  runId: string,
  options: FollowOptions,
): AsyncIterableIterator<string[]> {
  const { after, signal, hub = eventHub() } = options;
  return new LogFollower(hub, runId, after + 1, signal).lines();
}

class LogFollower implements Follower {
  #live: EventBatch[] = [];
  #liveCharacters = 0;
  /** The database may hold lines from `#next` on. */
  #isBehind = true;
  /** The log may have ended without this follower having seen its last line. */
  #mayBeOver = true;
  readonly #pause = new Wakeable();

  constructor(
    readonly hub: EventHub,
    readonly runId: string,
    public next: number,
    readonly signal: AbortSignal,
  ) {}

  async *lines(): AsyncIterableIterator<string[]> {
    if (this.signal.aborted) return;
    // Before the first read: a line that is stored meanwhile is then seen by the one or by the
    // other.
    const unfollow = this.hub.follow(this.runId, this);
    this.#takeRecent();
    const stop = () => {
      unfollow();
      this.#drop();
      this.#pause.wake();
    };
    this.signal.addEventListener("abort", stop, { once: true });
    try {
      while (!this.signal.aborted) {
        const lines = this.#takeLive() ?? (await this.#read());
        if (this.signal.aborted) return;
        if (lines === null) await this.#waitForSignal();
        else {
          if (lines.length > 0) yield lines;
          if (lines.length === 0 || isTerminalLine(lines.at(-1) ?? "")) return;
        }
      }
    } finally {
      this.signal.removeEventListener("abort", stop);
      stop();
    }
  }

  /** What this process stored itself, and still has, need not be read. */
  #takeRecent(): void {
    const batches = this.hub.recentFrom(this.runId, this.next);
    if (!batches) return;
    this.#isBehind = false;
    this.#mayBeOver = false;
    for (const batch of batches) this.receive(batch);
  }

  receive(batch: EventBatch): void {
    if (this.#isBehind) return;
    this.#live.push(batch);
    for (const line of batch.lines) this.#liveCharacters += line.length;
    if (this.#liveCharacters > BUFFER_MAX_CHARACTERS) this.#drop();
    this.#pause.wake();
  }

  #drop(): void {
    this.#live = [];
    this.#liveCharacters = 0;
    this.#isBehind = true;
  }

  wake(): void {
    this.#isBehind = true;
    this.#mayBeOver = true;
    this.#pause.wake();
  }

  /** The lines that wait in memory, if they follow on what was given. */
  #takeLive(): string[] | null {
    if (this.#live.length === 0) return null;
    const batches = this.#live;
    this.#live = [];
    this.#liveCharacters = 0;
    const lines = this.#advance(batches);
    return lines.length > 0 ? lines : null;
  }

  /** Null: nothing more at the moment. Empty: nothing more will come. */
  async #read(): Promise<string[] | null> {
    if (!this.#isBehind) return null;
    // What is published from now on is kept; what it and the read have in common is dropped by its
    // number.
    this.#isBehind = false;
    const batches = await this.#patiently(() =>
      readBatches(this.hub.pool, this.runId, this.next, BATCHES_A_READ),
    );
    if (batches.length === BATCHES_A_READ) this.#isBehind = true;
    const lines = this.#advance(batches);
    if (lines.length > 0) return lines;
    if (!this.#mayBeOver) return null;
    this.#mayBeOver = false;
    return (await this.#patiently(() => this.#isOver())) ? [] : null;
  }

  /** The lines of `batches` that are next, in order; a gap sends the follower to the database. */
  #advance(batches: EventBatch[]): string[] {
    const lines: string[] = [];
    for (const { first, last, lines: all } of batches) {
      if (last < this.next) continue;
      if (first > this.next) {
        this.#isBehind = true;
        break;
      }
      lines.push(...all.slice(this.next - first));
      this.next = last + 1;
    }
    return lines;
  }

  /** A database that is away for a moment must not end the stream. */
  #patiently<T>(read: () => Promise<T>): Promise<T> {
    return retryTransient(read, { isOver: () => this.signal.aborted, giveUpMs: GIVE_UP_MS });
  }

  async #isOver(): Promise<boolean> {
    const { rows } = await this.hub.pool.query<{ over: boolean }>({
      name: "engine-log-over",
      text: `SELECT closed_at IS NOT NULL AND next_sequence <= $2 AS over FROM run_logs
             WHERE run_id = $1`,
      values: [this.runId, this.next],
    });
    return rows[0]?.over ?? true;
  }

  async #waitForSignal(): Promise<void> {
    if (this.#isBehind || this.#live.length > 0) return;
    await this.#pause.rest(null);
  }
}
