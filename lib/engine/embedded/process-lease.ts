import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { LIFE_LOCK } from "@/lib/engine/embedded/life-lock";
import { WAKE_CHANNEL } from "@/lib/engine/embedded/tasks";
import { log } from "@/lib/platform/log";

export interface LeaseEvents {
  /** News for a run that some process drives. */
  onWake: (runId: string) => void;
  /** This process was taken for dead, and its runs with it; it goes on under another number. */
  onLost: () => void;
}

/**
 * An executor's sign of life: a session on a connection of its own holds the advisory lock of its number. The server frees the lock
 * when the process dies, at once where it is killed, after at most some 15 s where its machine vanishes.
 */
export class ProcessLease {
  #client: pg.Client | null = null;
  #id = 0;
  #closed = false;
  #pool: string | null = null;

  private constructor(
    readonly config: pg.ClientConfig,
    readonly events: LeaseEvents,
  ) {}

  /** Throws when the database cannot be reached. */
  static async open(config: pg.ClientConfig, events: LeaseEvents): Promise<ProcessLease> {
    const lease = new ProcessLease(config, events);
    await lease.#connect();
    return lease;
  }

  get id(): number {
    return this.#id;
  }

  /** False while the connection is broken: whether this process is taken for dead is open then. */
  get isHeld(): boolean {
    return this.#client !== null;
  }

  /** Runs on the lease's own connection, which proves it alive. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    if (!this.#client) throw new Error("The executor has lost its connection to the database");
    return (await this.#client.query<Row>(text, values)).rows;
  }

  /** Names the worker pool whose jobs go free when this process dies. */
  async setPool(pool: string): Promise<void> {
    this.#pool = pool;
    await this.query("update engine_processes set pool = $2 where id = $1", [this.#id, pool]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = null;
    await client?.query("delete from engine_processes where id = $1", [this.#id]).catch(() => {});
    await client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ ...this.config, keepAlive: true, connectionTimeoutMillis: 10_000, query_timeout: 10_000 });
    client.on("error", () => this.#drop(client));
    client.on("end", () => this.#drop(client));
    client.on("notification", ({ channel, payload }) => channel === WAKE_CHANNEL && payload && this.events.onWake(payload));
    try {
      await client.connect();
      // A socket whose peer has vanished is given up by the server after 5 + 3 × 3 s.
      await client.query("set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3");
      await this.#takeNumber(client);
      await client.query(`listen ${WAKE_CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
  }

  /** Takes the old number up again if nobody has given this process up for dead meanwhile, else another one. */
  async #takeNumber(client: pg.Client): Promise<void> {
    if (this.#id !== 0) {
      await client.query("select pg_advisory_lock($1, $2)", [LIFE_LOCK, this.#id]);
      const { rowCount } = await client.query("select 1 from engine_processes where id = $1", [this.#id]);
      if (rowCount === 1) return;
      await client.query("select pg_advisory_unlock($1, $2)", [LIFE_LOCK, this.#id]);
    }
    // In one transaction: nobody sees the number before it is locked.
    await client.query("begin");
    const { rows } = await client.query<{ id: number }>("insert into engine_processes (pool) values ($1) returning id", [this.#pool]);
    const id = rows[0]?.id ?? 0;
    await client.query("select pg_advisory_lock($1, $2)", [LIFE_LOCK, id]);
    await client.query("commit");
    const isReplaced = this.#id !== 0;
    this.#id = id;
    if (isReplaced) this.events.onLost();
  }

  #drop(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    client.end().catch(() => {});
    if (!this.#closed) void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    log.warn("the executor has lost its connection to the database");
    for (let failures = 0; !this.#closed; failures++) {
      try {
        await this.#connect();
        if (this.#closed) await this.close();
        return;
      } catch {
        await delay(Math.min(2_000, 50 * 2 ** failures));
      }
    }
  }
}
