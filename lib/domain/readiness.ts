import "server-only";
import pg from "pg";
import {
  type EngineCondition,
  engineCondition,
  engineState,
  isEngineAlive,
  isEngineRegistered,
} from "@/lib/engine/engine-state";
import { StalledLanes } from "@/lib/engine/stalled-lanes";
import { log } from "@/lib/platform/log";
import { postgres, type Queryable } from "@/lib/platform/postgres";
import { within } from "@/lib/platform/within";
import { definePart } from "@/lib/service";

export type Check = "ok" | "down";

export interface Readiness {
  status: "ready" | "not_ready";
  checks: { database: Check; engine: Check; registration: Check; lanes: Check };
  /** Lanes that take nothing though runs wait; left out where there are none. */
  stalled_lanes?: string[];
}

/** `database` and `engine` as they were last seen: neither is asked for this. */
export interface Health {
  status: "ok";
  database: Check;
  engine: EngineCondition;
}

interface Parts {
  database: Queryable;
  isEngineAlive: () => boolean | Promise<boolean>;
  isEngineRegistered: () => boolean | Promise<boolean>;
  /** The lanes of the embedded executor in which runs wait. */
  waitingLanes: () => readonly string[];
  /** Milliseconds since some point in time. */
  now: () => number;
}

const ANSWER_MS = 2_000;
/** However many ask. */
const KEPT_MS = 2_000;
/** A failure holds as long as an answer: the end of an outage is told within seconds. */
const WRITE_KEPT_MS = 10_000;
const LOOK_EVERY_MS = 5_000;

/**
 * A table that is gone with its own statement: rows in the catalog, a page of a new file and a
 * commit, which is what fails where the disk is full, the server takes no writes or is a standby.
 * An update of a row that exists would still find room in its page.
 */
const WRITE = "CREATE TEMP TABLE ready_check ON COMMIT DROP AS SELECT repeat('x', 4000) AS filler";
const NOT_ALLOWED = "42501";

/**
 * Tells whether this process can do what it is there for: start runs and have them worked on. An
 * answer holds for two seconds, a write that succeeded for ten.
 */
export class ReadinessCheck {
  readonly #parts: Parts;
  readonly #lanes: StalledLanes;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | null = null;
  #last: { readiness: Readiness; at: number } | null = null;
  #checking: Promise<Readiness> | null = null;

  constructor(parts: Partial<Parts> = {}) {
    this.#parts = {
      database: postgres(),
      isEngineAlive,
      isEngineRegistered,
      waitingLanes: () => engineState().waitingLanes,
      now: () => performance.now(),
      ...parts,
    };
    this.#lanes = new StalledLanes(this.#parts.database, this.#parts.now);
  }

  /** What the last check found of the database; `ok` before the first one. */
  get lastDatabase(): Check {
    return this.#last?.readiness.checks.database ?? "ok";
  }

  /** Never throws, and answers within some two seconds. */
  async check(): Promise<Readiness> {
    if (this.#last && this.#parts.now() - this.#last.at < KEPT_MS) return this.#last.readiness;
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #check(): Promise<Readiness> {
    const [database, engine, registration, stalled] = await Promise.all([
      toCheck(async () => this.#databaseWorks()),
      toCheck(async () => this.#parts.isEngineAlive()),
      toCheck(async () => this.#parts.isEngineRegistered()),
      // Of a database that does not answer the check of the database tells.
      within(ANSWER_MS, this.#lanes.look(this.#parts.waitingLanes())).catch((): string[] => []),
    ]);
    if (database === "down") this.#lanes.forget();
    const lanes = stalled.length === 0 ? "ok" : "down";
    const checks = { database, engine, registration, lanes } as const;
    const readiness: Readiness = {
      status: Object.values(checks).includes("down") ? "not_ready" : "ready",
      checks,
      ...(stalled.length > 0 && { stalled_lanes: stalled }),
    };
    this.#last = { readiness, at: this.#parts.now() };
    return readiness;
  }

  async #databaseWorks(): Promise<boolean> {
    await this.#parts.database.query("SELECT 1");
    if (this.#parts.now() - this.#writtenAt < WRITE_KEPT_MS) return true;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
    await this.#writing;
    return this.#writtenAt > Number.NEGATIVE_INFINITY;
  }

  async #write(): Promise<void> {
    try {
      await this.#parts.database.query(WRITE);
      this.#writtenAt = this.#parts.now();
    } catch (error) {
      // Where the operator's database gives no temporary tables, that it can be read has to do.
      const isEnough = error instanceof pg.DatabaseError && error.code === NOT_ALLOWED;
      this.#writtenAt = isEnough ? this.#parts.now() : Number.NEGATIVE_INFINITY;
      if (!isEnough) log.error({ err: error }, "the database cannot be written");
    }
  }
}

/** The check of this service. */
export const readinessCheck = definePart("readiness", () => new ReadinessCheck());

/**
 * Looks every five seconds, so that a lane that stands still is known whoever asks, and health says
 * what was last seen.
 * @returns what ends it
 */
export function watchReadiness(): () => void {
  const timer = setInterval(() => void readinessCheck().check(), LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** That this process answers is what is asked; its neighbours are not. */
export function readHealth(): Health {
  return { status: "ok", database: readinessCheck().lastDatabase, engine: engineCondition() };
}

async function toCheck(check: () => Promise<boolean>): Promise<Check> {
  return (await within(ANSWER_MS, check()).catch(() => false)) ? "ok" : "down";
}
