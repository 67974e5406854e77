import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { log } from "@/lib/platform/log";
import { connectionOf } from "@/lib/platform/postgres";

export interface ListenerEvents {
  onNotify: (channel: string, payload: string) => void;
  /** After each (re)connection, when it listens: what was said before may have been missed. */
  onConnect: () => void;
}

const PROBE_MS = 10_000;

/** LISTENs on a connection of its own, from `start()` on; makes another when it breaks. */
export class EventListener {
  #client: pg.Client | null = null;
  #running: Promise<void> | null = null;
  readonly #closed = new AbortController();
  #isListening = false;

  constructor(
    readonly pool: pg.Pool,
    readonly channels: string[],
    readonly events: ListenerEvents,
  ) {}

  /** Whether what is said now is heard. */
  get isListening(): boolean {
    return this.#isListening;
  }

  start(): void {
    if (!this.#isClosed) this.#running ??= this.#run();
  }

  /** Resolves when its connection has ended, and no other is made. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#client?.end().catch(() => {});
    await this.#running;
  }

  get #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#isClosed; failures++) {
      try {
        await this.#listen(() => {
          failures = 0;
        });
      } catch (error) {
        if (failures === 1)
          log.warn(
            { err: error instanceof Error ? error.message : String(error) },
            "the connection for notifications is lost; trying again",
          );
      }
      const { signal } = this.#closed;
      await delay(Math.min(2_000, 50 * 2 ** failures), undefined, { signal }).catch(() => {});
    }
  }

  /** Resolves or rejects when the connection has ended. */
  async #listen(onConnect: () => void): Promise<void> {
    const client = new pg.Client({
      ...connectionOf(this.pool),
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
    });
    const ended = new Promise<void>((resolve) => {
      client.on("end", resolve);
      client.on("error", () => resolve());
    });
    client.on("notification", ({ channel, payload }) =>
      this.events.onNotify(channel, payload ?? ""),
    );
    let probe: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      if (this.#isClosed) return;
      this.#client = client;
      const listen = this.channels.map((channel) => `LISTEN ${channel}`).join(";");
      await client.query(listen);
      this.#isListening = true;
      onConnect();
      this.events.onConnect();
      // A connection that only listens does not notice that its peer has vanished.
      probe = setInterval(
        () => void client.query(listen).catch(() => client.end().catch(() => {})),
        PROBE_MS,
      ).unref();
      await ended;
    } finally {
      this.#isListening = false;
      clearInterval(probe);
      this.#client = null;
      await client.end().catch(() => {});
    }
  }
}
