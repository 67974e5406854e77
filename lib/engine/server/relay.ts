import "server-only";
import type pg from "pg";
import { log } from "@/lib/platform/log";
import { enginePostgres, inTransaction } from "@/lib/platform/postgres";
import { definePart } from "@/lib/service";

/** An event as the server is sent it. One id counts once there, for 24 hours. */
export interface OutgoingEvent {
  id: string;
  name: string;
  data: Record<string, unknown>;
}

/** What sends an event. Rejects when the server does not take it. */
type Send = (event: OutgoingEvent) => Promise<void>;

/** Sends behind a commit at once; what comes beyond waits in its row. */
const SENDS_AT_ONCE = 64;
const BATCH = 20;
/**
 * So long after an event that the server did not take right behind its commit, and has taken none
 * since, none more is accepted: an event key that it does not know is seen by nothing else.
 */
const REFUSED_MS = 10_000;
/** The SDK tries five times, for 3 s each. */
const LOCKED_SECONDS = 60;

/**
 * What waits to be sent. A younger one is just being sent by whoever has committed it; a clock's
 * (`function_id`) and the embedded executor's own are none of a server's.
 */
const WAITING = `
  SELECT id, name, data FROM engine_events
  WHERE routed_at IS NULL AND function_id IS NULL AND NOT starts_with(name, 'inngest/')
    AND received_at < clock_timestamp() - interval '1 second' AND id <> ALL($1)
  ORDER BY received_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
const SENT = {
  name: "engine-event-sent",
  text: "UPDATE engine_events SET routed_at = now() WHERE id = ANY($1) AND routed_at IS NULL",
};

/**
 * Brings stored events to an Inngest server: each right behind its commit, and what waits for
 * longer when it is looked for. An event is sent at least once and under one id; a row is marked
 * (`routed_at`) once the server has taken it.
 */
export class Relay {
  readonly #pool: pg.Pool;
  readonly #send: Send;
  readonly #now: () => number;
  /** Being sent behind their commits, by id. */
  readonly #sending = new Map<string, Promise<void>>();
  #looking: Promise<void> | null = null;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  constructor(pool: pg.Pool, send: Send = sendBySdk, now: () => number = () => performance.now()) {
    this.#pool = pool;
    this.#send = send;
    this.#now = now;
  }

  /** Whether the server has just refused an event. */
  get isRefused(): boolean {
    return this.#now() - this.#refusedAt < REFUSED_MS;
  }

  /** Sends an event that was committed just now. Whatever comes of that, its row says so. */
  hand(event: OutgoingEvent): void {
    if (this.#sending.size >= SENDS_AT_ONCE || this.#sending.has(event.id)) return;
    const sent = this.#sendCommitted(event).finally(() => this.#sending.delete(event.id));
    this.#sending.set(event.id, sent);
  }

  /**
   * Sends all that has waited for a second or longer: its process died, or the server did not take
   * it. Of several processes that look at once each sends what no other is sending.
   */
  sendWaiting(): Promise<void> {
    this.#looking ??= this.#sendAllWaiting().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** Resolves when nothing is being sent. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#sending.values(), this.#looking]);
  }

  async #sendCommitted(event: OutgoingEvent): Promise<void> {
    try {
      await this.#send(event);
    } catch (error) {
      this.#refusedAt = this.#now();
      this.#tell(error);
      return;
    }
    this.#onTaken();
    this.#tell(null);
    await this.#pool
      .query({ ...SENT, values: [[event.id]] })
      .catch((error: Error) =>
        log.warn({ err: error.message, event: event.id }, "a sent event is sent once more"),
      );
  }

  async #sendAllWaiting(): Promise<void> {
    for (;;) {
      const { found, sent } = await this.#sendBatch();
      if (found < BATCH || sent === 0) return;
    }
  }

  /** Holds the rows while it sends, so that no other process sends them meanwhile. */
  #sendBatch(): Promise<{ found: number; sent: number }> {
    return inTransaction(
      this.#pool,
      async (tx) => {
        const { rows } = await tx.query<{ id: string; name: string; data: string }>(WAITING, [
          [...this.#sending.keys()],
        ]);
        if (rows.length === 0) return { found: 0, sent: 0 };
        // Each by itself: one that the server will not take keeps no other from being sent.
        const results = await Promise.allSettled(
          rows.map(({ id, name, data }) =>
            this.#send({ id, name, data: JSON.parse(data) as OutgoingEvent["data"] }),
          ),
        );
        const taken = rows.flatMap(({ id }, index) =>
          results[index]?.status === "fulfilled" ? [id] : [],
        );
        const failed = results.find((result) => result.status === "rejected");
        this.#tell(failed ? failed.reason : null);
        if (taken.length > 0) {
          this.#onTaken();
          await tx.query({ ...SENT, values: [taken] });
        }
        return { found: rows.length, sent: taken.length };
      },
      `BEGIN; SET LOCAL idle_in_transaction_session_timeout = '${LOCKED_SECONDS}s'`,
    );
  }

  #onTaken(): void {
    this.#refusedAt = Number.NEGATIVE_INFINITY;
  }

  /** Once when it begins to fail, and once when it works again. */
  #tell(error: unknown): void {
    const isFailing = error !== null;
    if (isFailing === this.#isFailing) return;
    this.#isFailing = isFailing;
    if (isFailing)
      log.warn(
        { err: error },
        "the Inngest server does not take events; they are kept, and sent until it does",
      );
    else log.info("the Inngest server takes events again");
  }
}

/** The relay of this service. */
export const relay = definePart(
  "engine.relay",
  () => new Relay(enginePostgres()),
  (made) => made.idle(),
);

async function sendBySdk(event: OutgoingEvent): Promise<void> {
  // Loaded only where there is a server to send to.
  const { inngest } = await import("@/lib/engine/server/inngest-client");
  await inngest().send(event);
}
