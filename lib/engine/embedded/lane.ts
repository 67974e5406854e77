import "server-only";
import type pg from "pg";
import type { Claim } from "@/lib/engine/embedded/claim";
import type { FunctionSpec } from "@/lib/engine/embedded/function-specs";
import { queueKeysOf, type Reservation } from "@/lib/engine/embedded/router";
import { claimRuns, countWaitingKeys, persist } from "@/lib/engine/embedded/run-store";
import { SuspectGate } from "@/lib/engine/embedded/suspects";
import type { Queryable } from "@/lib/platform/postgres";
import type { FunctionLimit } from "@/lib/platform/sql-functions";

/** A run that this process works on, as the rest of the engine sees it. */
export interface Driver {
  /** Which claim of the run it is. */
  readonly attempt: number;
  /** Whose places it takes. */
  readonly lane: { readonly name: string };
  /** Whether its beginning is over, or has not come. */
  readonly isCalm: boolean;
  /** Looks again at what it may do. */
  wake(): void;
  /**
   * Stops without storing anything more: the run is another's, or will be as this process stops.
   */
  abandon(why?: "stopped" | "taken_over"): void;
}

/** What the parts of one running executor share. */
export interface Engine {
  pool: pg.Pool;
  specs: Map<string, FunctionSpec>;
  /**
   * The number of this process among `engine_processes`; another one after it was given up for
   * dead.
   */
  owner: () => number;
  /** The lane whose places runs of this function take. */
  laneOf: (functionId: string) => string;
  /** Deaths of a run's processes in one step, one after another, until the run ends for it. */
  deathsMaxOf: (functionId: string) => number;
  /** The runs that this process drives now. */
  drivers: Map<string, Driver>;
  /** Milliseconds to wait after the nth failure in a row (1 = the first). */
  backoffMs: (failures: number) => number;
  /** How many processes share the places, this one among them. */
  processes: () => number;
  /** True once the executor winds up: drivers halt at the next step's border. */
  isStopping: () => boolean;
  /** Takes sleeping runs up at that time. */
  wakeAt: (time: number) => void;
}

/**
 * Runs of one process that are in their beginnings at once. A beginning is the processor's work,
 * and more of them at once only end later, all of them, and keep requests waiting: of fifty that
 * begin together the first would speak when the last one does. Found by measurement (decision
 * 0031).
 */
const BEGINNINGS_MAX = 4;
/** Who has not said by then that its run waits for something outside holds nobody up any longer. */
const BEGINNING_MAX_MS = 50;

/**
 * How many runs may wait outside for each place that there is: what each of them costs is memory
 * and a socket.
 */
const AWAY_PER_PLACE = 8;

/** How long it is believed how many keys wait. */
const SHARE_MS = 1_000;

/**
 * Places of this process for the runs of some functions. A place is held while a run uses the
 * processor; while it waits for a model or a tool it holds none (decision 0046). Runs wait in the
 * database, whoever accepted them; when a place is free, the keys under which runs wait are taken
 * in turn, and within a key the oldest run (`engine_claim`). So one key's thousand runs hold up
 * another's first one for no longer than the next place takes to go free.
 */
export class Lane {
  #busy = 0;
  /** Runs that wait for something outside, and hold no place meanwhile. */
  #away = 0;
  /** Those whose answer has come, in order. */
  readonly #returning: (() => void)[] = [];
  #beginnings = 0;
  /** Places that are kept for runs which are being accepted. */
  readonly #reserved = new Set<Promise<void>>();
  /** Set while runs are being taken; whoever comes meanwhile has them looked for once more. */
  #filling: Promise<void> | null = null;
  #again = false;
  /**
   * Whether runs may wait: else a place that goes free is told to nobody, and costs no statement.
   */
  #mayWait = true;
  readonly #own: FunctionSpec[];
  #limits: readonly FunctionLimit[];
  #sharedAt = Number.NEGATIVE_INFINITY;
  /** Where runs wait, one behind the other, that a process has died with. */
  readonly suspects: SuspectGate;

  constructor(
    readonly engine: Engine,
    readonly name: string,
    readonly places: number,
    /**
     * Drives a run on a place that is taken already; `begun` says that it waits for something
     * outside, and lets the next one begin.
     */
    readonly onClaim: (claim: Claim, lane: Lane, begun: () => void) => void,
    /**
     * The places are shared evenly by the keys under which runs wait: a function's first limit
     * follows how many there are.
     */
    readonly isShared = false,
  ) {
    this.#own = [...engine.specs.values()].filter((spec) => engine.laneOf(spec.id) === name);
    this.suspects = new SuspectGate(
      () =>
        ![...engine.drivers.values()].some((driver) => driver.lane.name === name && !driver.isCalm),
      () => {
        this.#mayWait = true;
        void this.fill();
      },
    );
    this.#limits = this.#limitsWith(null);
  }

  #limitsWith(share: number | null): FunctionLimit[] {
    return this.#own.map(({ id, limits: [first, second] }) => ({
      function_id: id,
      first: (first?.field === undefined ? null : share) ?? first?.limit ?? null,
      second: second?.limit ?? null,
    }));
  }

  /**
   * Of what all processes have, each key that waits gets as much: one alone may have all of it, and
   * what is at work already is left to end.
   */
  async #share(): Promise<void> {
    const now = performance.now();
    if (!this.isShared || now - this.#sharedAt < SHARE_MS) return;
    this.#sharedAt = now;
    const all = this.places * this.engine.processes();
    const keys = await countWaitingKeys(
      this.engine.pool,
      this.#own.map(({ id }) => id),
      all,
    );
    this.#limits = this.#limitsWith(Math.max(1, Math.floor(all / Math.max(1, keys))));
  }

  /** Whether this process can take nothing up at the moment. */
  get isFull(): boolean {
    return this.#free <= 0;
  }

  get #free(): number {
    // A run that may have killed a process begins by itself.
    if (this.suspects.isOn) return 0;
    // Who comes back from outside comes before who begins.
    const places = this.#returning.length > 0 ? 0 : this.places - this.#busy;
    return Math.min(
      places,
      BEGINNINGS_MAX - this.#beginnings,
      this.places * (1 + AWAY_PER_PLACE) - this.#busy - this.#away,
    );
  }

  get busy(): number {
    return this.#busy;
  }

  /**
   * Gives a place back: to a run that comes back from outside, else to the one whose turn it is.
   */
  leave(): void {
    const next = this.#returning.shift();
    if (next) {
      next();
      return;
    }
    this.#busy -= 1;
    if (this.#mayWait) void this.fill();
  }

  /**
   * Gives a run's place back while it waits for something outside, and takes one for it before it
   * goes on. A run whose drive is cut goes on at once: it only has its end to see to.
   */
  async outside<T>(wait: () => Promise<T>, cut: AbortSignal): Promise<T> {
    if (this.#away >= this.places * AWAY_PER_PLACE) return wait();
    this.#away += 1;
    this.leave();
    try {
      return await wait();
    } finally {
      this.#away -= 1;
      await this.#comeBack(cut);
    }
  }

  #comeBack(cut: AbortSignal): Promise<void> {
    if (this.#busy < this.places || cut.aborted) {
      this.#busy += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      // The place of whoever leaves goes over: the count of places stays.
      const take = () => {
        cut.removeEventListener("abort", onCut);
        resolve();
      };
      const onCut = () => {
        this.#returning.splice(this.#returning.indexOf(take), 1);
        this.#busy += 1;
        resolve();
      };
      cut.addEventListener("abort", onCut, { once: true });
      this.#returning.push(take);
    });
  }

  /**
   * Takes up waiting runs until no place is free or no run may work. Resolves when that is so for
   * all that waited when it was called.
   */
  fill(): Promise<void> {
    this.#again = true;
    this.#filling ??= this.#fillAll().finally(() => {
      this.#filling = null;
    });
    return this.#filling;
  }

  /**
   * Keeps a place for a run that this process is about to accept, so that it begins with that. Null
   * where the run would have to wait, here or, for all that is known, behind others.
   */
  reserve(): Reservation | null {
    const { owner, isStopping } = this.engine;
    if (this.isShared || this.#mayWait || this.#filling || isStopping() || this.isFull) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#reserved.add(promise);
    this.#busy += 1;
    const begun = this.#begin();
    let isKept = true;
    const giveBack = () => {
      if (isKept) this.leave();
      isKept = false;
    };
    // An acceptance that waits, for an account's locked row, keeps nobody else from beginning.
    const timer = setTimeout(giveBack, BEGINNING_MAX_MS).unref();
    const over = () => {
      clearTimeout(timer);
      begun();
      this.#reserved.delete(promise);
      resolve();
    };
    return {
      owner: owner(),
      limits: this.#limits,
      drive: (claim) => {
        over();
        // What a process takes as it stops is released with all the others.
        if (isStopping()) return;
        if (!isKept) this.#busy += 1;
        this.onClaim(claim, this, this.#begin());
      },
      letGo: () => {
        over();
        giveBack();
      },
    };
  }

  /** Resolves once no claim is under way. */
  async settled(): Promise<void> {
    await Promise.all([this.#filling?.catch(() => {}), ...this.#reserved]);
  }

  async #fillAll(): Promise<void> {
    // What is sent in one turn of the event loop is taken up together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#again && !this.engine.isStopping()) {
      this.#again = false;
      if (this.isFull) {
        this.#mayWait = true;
        return;
      }
      const { pool, owner, isStopping } = this.engine;
      const claimed = await persist(async () => {
        await this.#share();
        return claimRuns(pool, this.name, owner(), this.#free, this.#limits);
      }, isStopping);
      // What a process takes as it stops waits for another one: it is released with all the others.
      if (!claimed || isStopping()) return;
      this.#mayWait = claimed.waiting;
      for (const claim of claimed.claims) {
        this.#busy += 1;
        this.onClaim(claim, this, this.#begin());
      }
    }
  }

  #begin(): () => void {
    this.#beginnings += 1;
    const end = () => {
      if (timer === null) return;
      clearTimeout(timer);
      timer = null;
      this.#beginnings -= 1;
      if (this.#mayWait) void this.fill();
    };
    let timer: NodeJS.Timeout | null = setTimeout(end, BEGINNING_MAX_MS).unref();
    return end;
  }
}

const BATCH_ROWS = 200;
/** What an older version started and nobody took into the queue. */
const HOMELESS = `
  SELECT run.id::text, run.function_id, event.data
  FROM engine_runs run JOIN engine_events event ON event.id = run.event_id
  WHERE run.status = 'active' AND run.lane IS NULL
    AND (run.owner IS NULL OR NOT EXISTS (SELECT 1 FROM engine_processes WHERE id = run.owner))
    AND run.created_at < now() - interval '5 seconds' ORDER BY run.created_at LIMIT ${BATCH_ROWS}`;
const ADOPT = `
  UPDATE engine_runs SET lane = $2, key = $3, second_key = $4, turn = engine_next_turn($2, $3),
    owner = NULL, queued = due_at IS NULL
  WHERE id = $1 AND status = 'active' AND lane IS NULL`;
/**
 * Runs whose driver is in no list, and runs that wait for nothing: no place, no time, no event.
 * They wait for a place then, and for their time where a step of theirs has one that they do not.
 */
const FORGOTTEN = `
  UPDATE engine_runs SET owner = NULL, due_at = lost.due_at, queued = lost.due_at IS NULL,
    turn = engine_next_turn(lane, key)
  FROM (
    SELECT run.id AS lost_id, CASE WHEN run.owner IS NULL THEN step.due_at END AS due_at
    FROM engine_runs run
    CROSS JOIN LATERAL (
      SELECT count(*) AS waits, min(due_at) AS due_at FROM engine_steps
      WHERE run_id = run.id AND NOT done AND op IN ('WaitForEvent', 'Sleep')
    ) step
    WHERE run.status = 'active' AND run.lane IS NOT NULL AND NOT run.queued
      AND run.created_at < now() - interval '30 seconds'
      AND (run.owner IS NOT NULL OR run.due_at IS NULL) AND (
        (run.owner IS NOT NULL AND NOT EXISTS (SELECT 1 FROM engine_processes WHERE id = run.owner))
        OR (run.owner IS NULL AND (step.waits = 0 OR step.due_at IS NOT NULL)))
    ORDER BY run.created_at LIMIT ${BATCH_ROWS} FOR UPDATE OF run SKIP LOCKED) lost
  WHERE id = lost.lost_id`;

/**
 * Finds runs that nobody would ever take up again, whatever lost them, and has them wait for a
 * place. Costs an indexed read when all is well.
 * @returns how many it found
 */
export async function reconcileRuns(
  pool: Queryable,
  { specs, laneOf }: Pick<Engine, "specs" | "laneOf">,
): Promise<number> {
  const { rows } = await pool.query<{ id: string; function_id: string; data: string }>(HOMELESS);
  for (const { id, function_id, data } of rows) {
    const spec = specs.get(function_id);
    if (!spec) continue;
    const { key, second_key } = queueKeysOf(spec, { data: JSON.parse(data) as unknown });
    await pool.query(ADOPT, [id, laneOf(function_id), key, second_key]);
  }
  const forgotten = await pool.query(FORGOTTEN);
  return rows.length + (forgotten.rowCount ?? 0);
}
