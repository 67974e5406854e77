import "server-only";
import pg from "pg";
import { isEngineAlive, isEngineRegistered } from "@/lib/engine/engine-state";
import { log } from "@/lib/platform/log";
import { postgres, type Queryable } from "@/lib/platform/postgres";
import { processSingleton } from "@/lib/platform/process-singleton";
import { within } from "@/lib/platform/within";

export type Check = "ok" | "down";

export interface Readiness {
  status: "ready" | "not_ready";
  checks: { database: Check; engine: Check; registration: Check };
}

interface Parts {
  database: Queryable;
  isEngineAlive: () => boolean | Promise<boolean>;
  isEngineRegistered: () => boolean | Promise<boolean>;
  /** Milliseconds since some point in time. */
  now: () => number;
}

const ANSWER_MS = 2_000;
const WRITE_KEPT_MS = 10_000;

/**
 * A table that is gone with its own statement: rows in the catalog, a page of a new file and a
 * commit, which is what fails where the disk is full, the server takes no writes or is a standby.
 * An update of a row that exists would still find room in its page.
 */
const WRITE = "CREATE TEMP TABLE ready_check ON COMMIT DROP AS SELECT repeat('x', 4000) AS filler";
const NOT_ALLOWED = "42501";

/**
 * Tells whether this process can do what it is there for: start runs and have them worked on. Each
 * time it is asked, but for the write, whose outcome holds for ten seconds.
 */
export class ReadinessCheck {
  readonly #parts: Parts;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #canWrite = false;
  #writing: Promise<void> | null = null;

  constructor(parts: Partial<Parts> = {}) {
    this.#parts = {
      database: postgres(),
      isEngineAlive,
      isEngineRegistered,
      now: () => performance.now(),
      ...parts,
    };
  }

  /** Never throws, and answers within about two seconds. */
  async check(): Promise<Readiness> {
    const [database, engine, registration] = await Promise.all([
      toCheck(async () => this.#databaseWorks()),
      toCheck(async () => this.#parts.isEngineAlive()),
      toCheck(async () => this.#parts.isEngineRegistered()),
    ]);
    const isReady = database === "ok" && engine === "ok" && registration === "ok";
    return { status: isReady ? "ready" : "not_ready", checks: { database, engine, registration } };
  }

  async #databaseWorks(): Promise<boolean> {
    await this.#parts.database.query("SELECT 1");
    if (this.#parts.now() - this.#writtenAt >= WRITE_KEPT_MS) {
      this.#writing ??= this.#write().finally(() => {
        this.#writing = null;
      });
      await this.#writing;
    }
    return this.#canWrite;
  }

  async #write(): Promise<void> {
    try {
      await this.#parts.database.query(WRITE);
      this.#canWrite = true;
    } catch (error) {
      // Where the operator's database gives no temporary tables, that it can be read has to do.
      this.#canWrite = error instanceof pg.DatabaseError && error.code === NOT_ALLOWED;
      if (!this.#canWrite) log.error({ err: error }, "the database cannot be written");
    } finally {
      this.#writtenAt = this.#parts.now();
    }
  }
}

/** The check of this process. */
export function checkReadiness(): Promise<Readiness> {
  return processSingleton("readiness", () => new ReadinessCheck()).check();
}

async function toCheck(check: () => Promise<boolean>): Promise<Check> {
  return (await within(ANSWER_MS, check()).catch(() => false)) ? "ok" : "down";
}
