import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { log } from "@/lib/platform/log";
import { connectionOf, type Queryable } from "@/lib/platform/postgres";
import { livenessOf, processIdentity } from "@/lib/platform/process-identity.mjs";

/** How often a process shows that it lives. */
export const BEAT_MS = 2_000;
/**
 * Who has shown nothing for this long is dead to the others: its event loop stands, it is cut off,
 * or it has gone with its machine.
 */
export const SILENCE_SECONDS = 10;

/**
 * The class of the advisory locks by which an older version knows who lives; the number of the
 * process is the object.
 */
export const LIFE_LOCK = 0x1a7e;
/**
 * The channel that signals a driver that there is something for runs that it drives right now;
 * `queue`: runs wait, and who sent it has no place for them.
 */
export const WAKE_CHANNEL = "engine_wake";
export const QUEUE_SIGNAL = "queue";
/** Events were stored by a statement that could not route them. */
export const STORED_SIGNAL = "stored";

/** What `engine_beat` sees. */
export interface Beat {
  alive: boolean;
  /** Runs of processes that were found dead. */
  buried: number;
  /** Whether one of these had ended, rather than fallen silent. */
  crashed: boolean;
  processes: { id: number; identity: string | null }[];
  /** Lanes in which runs wait. */
  lanes: string[];
  /** Milliseconds until the next sleeping run is due; null without one. */
  next_due_ms: number | null;
  unrouted: string[];
  owned: { id: string; attempt: number }[];
}

const BEAT = { name: "engine-beat", text: "SELECT engine_beat($1, $2::int[], $3) AS beat" };

/** Makes this process known as one that drives runs; gives its number. */
export async function registerProcess(pool: Queryable): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO engine_processes (identity, seen_at, steady_since)
     VALUES ($1, clock_timestamp(), clock_timestamp()) RETURNING id`,
    [JSON.stringify(processIdentity())],
  );
  return rows[0]?.id ?? 0;
}

/**
 * Beats once: shows that this process lives, declares dead who does not, and looks for all that
 * waits.
 * A process of this machine that has ended is found by its number at once, others by their silence.
 */
export async function beat(pool: Queryable, process: number): Promise<Beat> {
  const first = await beatOnce(pool, process, []);
  const gone = first.alive
    ? first.processes.filter(({ id, identity }) => id !== process && hasEnded(identity))
    : [];
  if (gone.length === 0) return first;
  const second = await beatOnce(
    pool,
    process,
    gone.map(({ id }) => id),
  );
  return { ...second, buried: first.buried + second.buried, crashed: second.buried > 0 };
}

async function beatOnce(pool: Queryable, process: number, gone: number[]): Promise<Beat> {
  const { rows } = await pool.query<{ beat: Omit<Beat, "crashed"> }>({
    ...BEAT,
    values: [process, gone, SILENCE_SECONDS],
  });
  const seen = rows[0]?.beat;
  if (!seen) throw new Error("the beat had no answer");
  return { ...seen, crashed: false };
}

const LIFE = { name: "engine-life", text: "SELECT engine_life($1, $2) AS alive" };
/** An answer that takes longer is none: the next one is asked for on a new connection. */
const LIFE_ANSWER_MS = 3_000;

/**
 * Shows every two seconds that a process lives, on a connection of its own and beside all other
 * work: whatever the process has to clear up, and whoever holds a lock, a process whose event loop
 * turns is never taken for dead.
 */
export class LifeSign {
  #client: pg.Client | null = null;
  #showing = false;
  #failures = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(
    readonly pool: pg.Pool,
    readonly process: () => number,
    readonly on: { shown(): void; buried(): void },
  ) {
    this.#timer = setInterval(() => void this.show(), BEAT_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }

  async show(): Promise<void> {
    if (this.#showing) return;
    this.#showing = true;
    try {
      this.#client ??= await this.#connect();
      const { rows } = await this.#client.query<{ alive: boolean }>({
        ...LIFE,
        values: [this.process(), SILENCE_SECONDS],
      });
      this.#failures = 0;
      if (rows[0]?.alive) this.on.shown();
      else this.on.buried();
    } catch (error) {
      const client = this.#client;
      this.#client = null;
      void client?.end().catch(() => {});
      this.#failures += 1;
      if (this.#failures === 2)
        log.warn(
          { err: error instanceof Error ? error.message : String(error) },
          "this process could not show that it lives; it goes on trying",
        );
    } finally {
      this.#showing = false;
    }
  }

  async #connect(): Promise<pg.Client> {
    const limits = {
      connectionTimeoutMillis: LIFE_ANSWER_MS,
      query_timeout: LIFE_ANSWER_MS,
      statement_timeout: LIFE_ANSWER_MS,
    };
    const client = new pg.Client({ ...connectionOf(this.pool), keepAlive: true, ...limits });
    client.on("error", () => {
      if (this.#client === client) this.#client = null;
    });
    await client.connect();
    return client;
  }
}

function hasEnded(identity: string | null): boolean {
  return identity !== null && livenessOf(JSON.parse(identity)) === "dead";
}

/** Takes this process out of the list, when it ends in good order. */
export async function unregisterProcess(pool: Queryable, process: number): Promise<void> {
  await pool.query("DELETE FROM engine_processes WHERE id = $1", [process]);
}

/**
 * Listens for signals of runs on a connection of its own, for as long as it is open; made again
 * when it breaks. Signals that are lost are found by the beat.
 */
export class WakeListener {
  #client: pg.Client | null = null;
  #isClosed = false;

  constructor(
    readonly pool: pg.Pool,
    readonly process: () => number,
    readonly onWake: (signal: string) => void,
  ) {
    void this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end().catch(() => {});
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
            "the engine's listener is cut off; trying again",
          );
      }
      if (!this.#isClosed)
        await delay(Math.min(2_000, 50 * 2 ** failures), undefined, { ref: false });
    }
  }

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
    client.on("notification", ({ payload }) => payload && this.onWake(payload));
    try {
      await client.connect();
      this.#client = client;
      // A socket whose peer has vanished is given up by the server after 5 + 3 × 3 s.
      await client.query(
        "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set " +
          "tcp_keepalives_count = 3",
      );
      await client.query("SELECT pg_advisory_lock($1, $2)", [LIFE_LOCK, this.process()]);
      await client.query(`LISTEN ${WAKE_CHANNEL}`);
      if (this.#isClosed) return;
      onConnect();
      await ended;
    } finally {
      this.#client = null;
      await client.end().catch(() => {});
    }
  }
}
