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
  #started = false;
  #closed = false;
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
    if (this.#started) return;
    this.#started = true;
    void this.#run();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end().catch(() => {});
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#closed; failures++) {
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
      if (!this.#closed) await delay(Math.min(2_000, 50 * 2 ** failures));
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
