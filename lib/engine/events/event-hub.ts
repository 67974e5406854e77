import "server-only";
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { engineState } from "@/lib/engine/engine-state";
import { EventListener } from "@/lib/engine/events/event-listener";
import {
  CANCEL_CHANNEL,
  EVENTS_CHANNEL,
  type EventBatch,
  isTerminalLine,
  PRINCIPAL_CHANNEL,
} from "@/lib/engine/events/event-rows";
import { LogCommitter } from "@/lib/engine/events/log-committer";
import { log } from "@/lib/platform/log";
import { enginePostgres } from "@/lib/platform/postgres";
import { definePart } from "@/lib/service";

export interface Follower {
  /** Lines that were just stored by this process. */
  receive(batch: EventBatch): void;
  /** There may be lines in the database that the follower has not seen. */
  wake(): void;
  /** The number that it has not seen yet. */
  readonly next: number;
}

/**
 * Cancels are told by the database, and looked for whenever that could have been missed; this is
 * for what nobody has thought of.
 */
const CANCEL_POLL_MS = 15_000;
/**
 * Should a notification be lost, followers of what other processes write still see it after this
 * time.
 */
const LOOK_MS = 3_000;
/**
 * Other processes hear of what was stored together, behind its commit: a committing NOTIFY takes
 * one lock of the whole database.
 */
const SIGNAL_PAUSE_MS = 15;
const RUNS_A_PAYLOAD = 200;

/**
 * Brings together who writes, follows and cancels runs: in this process directly, across processes
 * by LISTEN and NOTIFY.
 */
export class EventHub {
  /** Tells this process's notifications from others'. */
  readonly id = randomUUID().slice(0, 8);
  readonly committer: LogCommitter;
  /** What this process has stored lately: followers that come now need not read it back. */
  readonly recent = new RecentLines();
  /** The logs that this process writes: nothing can come into them that it does not know. */
  readonly #writers = new Map<string, number>();
  #signals = new Set<string>();
  #signalTimer: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  #principalChanged: (accountId: string | null) => void = () => {};
  readonly #followers = new Map<string, Set<Follower>>();
  readonly #cancels = new Map<string, Set<() => void>>();
  readonly #listener: EventListener;
  #cancelPoll: NodeJS.Timeout | undefined;

  constructor(readonly pool: pg.Pool) {
    this.committer = new LogCommitter(pool, (runId, batch) => this.published(runId, batch));
    this.#listener = new EventListener(pool, [EVENTS_CHANNEL, CANCEL_CHANNEL, PRINCIPAL_CHANNEL], {
      onNotify: (channel, payload) => this.#hear(channel, payload),
      onConnect: () => this.#catchUp(),
    });
  }

  follow(runId: string, follower: Follower): () => void {
    this.#listener.start();
    this.#look ??= setInterval(() => void this.#lookForLost(), LOOK_MS).unref();
    return subscribe(this.#followers, runId, follower);
  }

  /** Says that this process writes a log, until the function that it returns is called. */
  writes(runId: string): () => void {
    this.#writers.set(runId, (this.#writers.get(runId) ?? 0) + 1);
    return () => {
      const others = (this.#writers.get(runId) ?? 1) - 1;
      if (others > 0) this.#writers.set(runId, others);
      else this.#writers.delete(runId);
    };
  }

  /**
   * What this process still has of a log from number `next` on; null where others may have written
   * what it does not know.
   */
  recentFrom(runId: string, next: number): EventBatch[] | null {
    const batches = this.recent.from(runId, next);
    const isWhole =
      engineState().others === 0 ||
      this.#writers.has(runId) ||
      isTerminalLine(batches?.at(-1)?.lines.at(-1) ?? "");
    return isWhole ? batches : null;
  }

  /** A log begins, by a committed transaction of this process. */
  begun(runId: string, line: string): void {
    this.recent.begin(runId, line);
    this.published(runId, { first: 0, last: 0, lines: [line] }, false);
  }

  /** Hands lines that are stored to the followers in this process, and tells the others. */
  published(runId: string, batch: EventBatch, isContinued = true): void {
    if (isContinued) this.recent.add(runId, batch);
    for (const follower of this.#followers.get(runId) ?? []) follower.receive(batch);
    if (isTerminalLine(batch.lines.at(-1) ?? "")) this.recent.end(runId);
    if (engineState().others === 0) return;
    this.#signals.add(runId);
    this.#signalTimer ??= setTimeout(() => void this.#signalOthers(), SIGNAL_PAUSE_MS);
  }

  wake(runId: string): void {
    for (const follower of this.#followers.get(runId) ?? []) follower.wake();
  }

  /** Whether signals from others arrive now. */
  get isListening(): boolean {
    return this.#listener.isListening;
  }

  /**
   * Has `callback` called with an account of which a key or a right was changed, or null when such
   * signals may have been missed. One for the process.
   */
  onPrincipalChanged(callback: (accountId: string | null) => void): void {
    this.#listener.start();
    this.#principalChanged = callback;
  }

  onCancel(runId: string, callback: () => void): () => void {
    this.#listener.start();
    this.#cancelPoll ??= setInterval(() => void this.#findCancelled(), CANCEL_POLL_MS).unref();
    return subscribe(this.#cancels, runId, callback);
  }

  cancel(runId: string): void {
    for (const callback of [...(this.#cancels.get(runId) ?? [])]) callback();
  }

  async close(): Promise<void> {
    clearInterval(this.#cancelPoll);
    clearInterval(this.#look);
    clearTimeout(this.#signalTimer);
    await this.#listener.close();
  }

  async #signalOthers(): Promise<void> {
    this.#signalTimer = undefined;
    const runIds = [...this.#signals];
    this.#signals.clear();
    const payloads: string[] = [];
    for (let at = 0; at < runIds.length; at += RUNS_A_PAYLOAD)
      payloads.push([this.id, ...runIds.slice(at, at + RUNS_A_PAYLOAD)].join(" "));
    await this.pool
      .query({
        name: "engine-log-signals",
        text: "SELECT count(pg_notify($1, payload)) FROM unnest($2::text[]) AS payload",
        values: [EVENTS_CHANNEL, payloads],
      })
      .catch((error: Error) =>
        log.warn(
          { err: error.message },
          "other processes were not told of events; they look for them",
        ),
      );
  }

  /** One statement for all followers of what others write. */
  async #lookForLost(): Promise<void> {
    const runIds = [...this.#followers.keys()].filter((runId) => !this.#writers.has(runId));
    if (runIds.length === 0) return;
    try {
      const { rows } = await this.pool.query<{ id: string; next: number; closed: boolean }>({
        name: "engine-log-look",
        text: `SELECT run_id::text AS id, next_sequence AS next, closed_at IS NOT NULL AS closed
               FROM run_logs WHERE run_id = ANY($1::uuid[])`,
        values: [runIds],
      });
      const known = new Map(rows.map((row) => [row.id, row]));
      for (const runId of runIds) {
        const row = known.get(runId);
        for (const follower of this.#followers.get(runId) ?? [])
          if (!row || row.closed || row.next > follower.next) follower.wake();
      }
    } catch {
      // The next look will tell.
    }
  }

  #hear(channel: string, payload: string): void {
    const [sender, ...runIds] = payload.split(" ");
    if (channel === CANCEL_CHANNEL) this.cancel(payload);
    else if (channel === PRINCIPAL_CHANNEL) this.#principalChanged(payload);
    else if (sender !== this.id) for (const runId of runIds) this.wake(runId);
  }

  /** What was said while nobody listened is lost: look everywhere once. */
  #catchUp(): void {
    this.#principalChanged(null);
    for (const runId of this.#followers.keys()) this.wake(runId);
    void this.#findCancelled();
  }

  /** A notification may be lost with its connection; a cancel must not be. */
  async #findCancelled(): Promise<void> {
    const runIds = [...this.#cancels.keys()];
    if (runIds.length === 0) return;
    try {
      const { rows } = await this.pool.query<{ id: string }>(
        "SELECT id::text FROM runs WHERE id = ANY($1::uuid[]) AND status = 'cancelled'",
        [runIds],
      );
      for (const { id } of rows) this.cancel(id);
    } catch {
      // The next look will tell.
    }
  }
}

/** The hub of this service. */
export const eventHub = definePart(
  "engine.eventHub",
  () => new EventHub(enginePostgres()),
  (hub) => hub.close(),
);

function subscribe<T>(subscribers: Map<string, Set<T>>, runId: string, subscriber: T): () => void {
  const set = subscribers.get(runId) ?? new Set<T>();
  subscribers.set(runId, set.add(subscriber));
  return () => {
    set.delete(subscriber);
    if (set.size === 0 && subscribers.get(runId) === set) subscribers.delete(runId);
  };
}

const RUN_MAX_CHARACTERS = 262_144;
const ALL_MAX_CHARACTERS = 16_777_216;
/** Readers that come just after the end still find the lines here. */
const ENDED_MS = 5_000;

interface Recent {
  batches: EventBatch[];
  characters: number;
}

/** The lines of runs that this process began and writes, from the first on, while they are few. */
class RecentLines {
  readonly #runs = new Map<string, Recent>();
  #characters = 0;

  begin(runId: string, line: string): void {
    this.#runs.set(runId, {
      batches: [{ first: 0, last: 0, lines: [line] }],
      characters: line.length,
    });
    this.#characters += line.length;
    // The oldest go first.
    for (const id of this.#runs.keys()) {
      if (this.#characters <= ALL_MAX_CHARACTERS) break;
      this.drop(id);
    }
  }

  add(runId: string, batch: EventBatch): void {
    const run = this.#runs.get(runId);
    if (!run) return;
    const size = batch.lines.reduce((sum, line) => sum + line.length, 0);
    // Another process has written in between, or it is more than is worth keeping.
    if (
      batch.first !== (run.batches.at(-1)?.last ?? -1) + 1 ||
      run.characters + size > RUN_MAX_CHARACTERS
    ) {
      this.drop(runId);
      return;
    }
    run.batches.push(batch);
    run.characters += size;
    this.#characters += size;
  }

  end(runId: string): void {
    if (this.#runs.has(runId)) setTimeout(() => this.drop(runId), ENDED_MS).unref();
  }

  drop(runId: string): void {
    this.#characters -= this.#runs.get(runId)?.characters ?? 0;
    this.#runs.delete(runId);
  }

  /** All lines from number `next` on; null where they are not all here. */
  from(runId: string, next: number): EventBatch[] | null {
    const batches = this.#runs.get(runId)?.batches;
    return batches ? batches.filter(({ last }) => last >= next) : null;
  }
}
