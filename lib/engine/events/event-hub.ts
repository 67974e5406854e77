import "server-only";
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { CANCEL_CHANNEL, EVENTS_CHANNEL } from "@/lib/engine/events/channels";
import type { EventBatch } from "@/lib/engine/events/event-batch";
import { EventListener } from "@/lib/engine/events/event-listener";
import { LogCommitter } from "@/lib/engine/events/log-committer";
import { once } from "@/lib/platform/once";
import { postgres } from "@/lib/platform/postgres";

export interface Follower {
  /** Lines that were just stored by this process. */
  receive(batch: EventBatch): void;
  /** There may be lines in the database that the follower has not seen. */
  wake(): void;
}

const CANCEL_POLL_MS = 5_000;

/** Brings together who writes, follows and cancels runs: in this process directly, across processes by LISTEN and NOTIFY. */
export class EventHub {
  /** Tells this process's notifications from others'. */
  readonly id = randomUUID().slice(0, 8);
  readonly committer: LogCommitter;
  readonly #followers = new Map<string, Set<Follower>>();
  readonly #cancels = new Map<string, Set<() => void>>();
  readonly #listener: EventListener;
  #cancelPoll: NodeJS.Timeout | undefined;

  constructor(readonly pool: pg.Pool) {
    this.committer = new LogCommitter(pool, this.id, (runId, batch) => this.publish(runId, batch));
    this.#listener = new EventListener(pool, [EVENTS_CHANNEL, CANCEL_CHANNEL], {
      onNotify: (channel, payload) => this.#hear(channel, payload),
      onConnect: () => this.#catchUp(),
    });
  }

  follow(runId: string, follower: Follower): () => void {
    this.#listener.start();
    return subscribe(this.#followers, runId, follower);
  }

  /** Hands lines to the followers in this process. They must be stored. */
  publish(runId: string, batch: EventBatch): void {
    for (const follower of this.#followers.get(runId) ?? []) follower.receive(batch);
  }

  wake(runId: string): void {
    for (const follower of this.#followers.get(runId) ?? []) follower.wake();
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
    await this.#listener.close();
  }

  #hear(channel: string, payload: string): void {
    const [sender, ...runIds] = payload.split(" ");
    if (channel === CANCEL_CHANNEL) this.cancel(payload);
    else if (sender !== this.id) for (const runId of runIds) this.wake(runId);
  }

  /** What was said while nobody listened is lost: look everywhere once. */
  #catchUp(): void {
    for (const runId of this.#followers.keys()) this.wake(runId);
    void this.#findCancelled();
  }

  /** A notification may be lost with its connection; a cancel must not be. */
  async #findCancelled(): Promise<void> {
    const runIds = [...this.#cancels.keys()];
    if (runIds.length === 0) return;
    try {
      const { rows } = await this.pool.query<{ id: string }>(
        "select id::text from runs where id = any($1::uuid[]) and status = 'cancelled'",
        [runIds],
      );
      for (const { id } of rows) this.cancel(id);
    } catch {
      // The next look will tell.
    }
  }
}

/** The hub of this process, on its own pool. */
export function eventHub(): EventHub {
  return once("engine.eventHub", () => new EventHub(postgres()));
}

function subscribe<T>(subscribers: Map<string, Set<T>>, runId: string, subscriber: T): () => void {
  const set = subscribers.get(runId) ?? new Set<T>();
  subscribers.set(runId, set.add(subscriber));
  return () => {
    set.delete(subscriber);
    if (set.size === 0 && subscribers.get(runId) === set) subscribers.delete(runId);
  };
}
