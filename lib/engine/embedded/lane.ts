import "server-only";
import type { Engine } from "@/lib/engine/embedded/engine";
import { persist } from "@/lib/engine/embedded/persist";
import { countHeld, listOldest, listWaitingKeys, queueKeysOf, type WaitingRun } from "@/lib/engine/embedded/run-queue";
import { type Claim, claimRun } from "@/lib/engine/embedded/run-store";
import { WAKE_CHANNEL } from "@/lib/engine/embedded/tasks";

/** Keys of which a lane remembers when their turn was. */
const KEYS_MAX = 10_000;
/** How often in a row runs may turn out to be taken until the next beat is waited for. */
const MISSES_MAX = 5;
/** What `WAKE_CHANNEL` carries in place of a run's id: runs wait, and who sent it has no place for them. */
export const QUEUE_NEWS = "queue";

/**
 * Places of this process for the runs of some functions. Runs wait in the database, whoever accepted them; when a place is free, the keys under which
 * runs wait are taken in turn, the longest unserved first, and within a key the oldest run. So one key's thousand runs hold up another's first one
 * for no longer than the next place takes to go free.
 */
export class Lane {
  #busy = 0;
  /** Set while runs are being taken; whoever comes meanwhile has them looked for once more. */
  #filling: Promise<void> | null = null;
  #again = false;
  /** When each key was last served, oldest first. */
  readonly #served = new Map<string, number>();
  #turns = 0;

  constructor(
    readonly engine: Engine,
    readonly name: string,
    readonly places: number,
    /** Drives a run on a place that is taken already. */
    readonly onClaim: (claim: Claim, lane: Lane) => void,
  ) {}

  /** Takes a place, if one is free. */
  take(): boolean {
    if (this.#busy >= this.places) return false;
    this.#busy += 1;
    return true;
  }

  /** Gives a place back, to the run whose turn it is. */
  leave(): void {
    this.#busy -= 1;
    void this.fill();
  }

  /** Takes up waiting runs until no place is free or no run may work. Resolves when that is so for all that waited when it was called. */
  fill(): Promise<void> {
    this.#again = true;
    this.#filling ??= this.#fillAll().finally(() => {
      this.#filling = null;
    });
    return this.#filling;
  }

  /** As `fill`; and where this process has no place left, others hear of it. */
  async fillOrTell(): Promise<void> {
    await this.fill();
    if (this.#busy < this.places) return;
    await persist(() => this.engine.pool.query("select pg_notify($1, $2)", [WAKE_CHANNEL, QUEUE_NEWS]), this.engine.isStopping);
  }

  async #fillAll(): Promise<void> {
    for (let misses = 0; this.#again && misses < MISSES_MAX && !this.engine.isStopping(); ) {
      this.#again = false;
      if (this.#busy >= this.places) return;
      const missed = await persist(() => this.#fillOnce(), this.engine.isStopping);
      // Another process was quicker: there may be more behind what it took.
      if (missed) this.#again = true;
      misses = missed ? misses + 1 : 0;
    }
  }

  /** Takes up what fits. True when a run was gone before it could be claimed. */
  async #fillOnce(): Promise<boolean> {
    let missed = false;
    const { runs, limits } = await this.#plan(this.places - this.#busy);
    for (const run of runs) {
      const spec = this.engine.specs.get(run.functionId);
      if (!spec || this.engine.isStopping() || !this.take()) continue;
      let claim: Claim | null = null;
      try {
        const keys = queueKeysOf(spec, run.event);
        this.#serve(keys[0].key);
        const limited = keys.map(({ key, limit }) => ({ key, limit: limits.get(key) ?? limit }));
        claim = await claimRun(this.engine.pool, run, limited, this.engine.owner());
      } finally {
        if (!claim) this.#busy -= 1;
      }
      if (claim) this.onClaim(claim, this);
      else missed = true;
    }
    return missed;
  }

  /** The next `free` runs that may work: one of each key in turn, then another one of each, and so on. */
  async #plan(free: number): Promise<{ runs: WaitingRun[]; limits: Map<string, number> }> {
    const { pool, specs } = this.engine;
    const keys = await listWaitingKeys(pool, this.name);
    if (keys.length === 0) return { runs: [], limits: new Map() };
    const limits = await this.#limitsOf(keys.map(({ key }) => key));
    const open = keys
      .map(({ key, held, since }) => ({ key, since, most: Math.min(free, (limits.get(key) ?? Number.POSITIVE_INFINITY) - held) }))
      .filter(({ most }) => most > 0)
      .sort((a, b) => (this.#served.get(a.key) ?? 0) - (this.#served.get(b.key) ?? 0) || a.since.getTime() - b.since.getTime())
      .slice(0, free);
    if (open.length === 0) return { runs: [], limits };
    const isShared = [...specs.values()].some((spec) => spec.limits.length > 1 && this.engine.laneOf(spec.id) === this.name);
    const lists = await listOldest(pool, this.name, open, isShared ? await this.#fullKeys() : []);
    const most = Math.max(...lists.map((list) => list.length));
    const inTurn = Array.from({ length: most }, (_, n) => lists.flatMap((list) => list.slice(n, n + 1))).flat();
    return { runs: inTurn.slice(0, free), limits };
  }

  /** How many runs may work at once under each of these first keys. */
  async #limitsOf(keys: string[]): Promise<Map<string, number>> {
    const limits = new Map<string, number>();
    for (const spec of this.engine.specs.values()) {
      const [first] = spec.limits;
      if (!first) continue;
      const prefix = `${spec.id}:0:`;
      const own = keys.filter((key) => key.startsWith(prefix));
      const values = own.map((key) => (first.path ? (JSON.parse(key.slice(prefix.length)) as unknown) : null));
      const overrides = first.path && values.length > 0 ? await this.engine.limitsOf(spec.id, values) : new Map<unknown, number>();
      for (const [index, key] of own.entries()) limits.set(key, overrides.get(values[index]) ?? first.limit);
    }
    return limits;
  }

  /** The second keys under which no more runs may work. */
  async #fullKeys(): Promise<string[]> {
    const held = await countHeld(this.engine.pool);
    const second = [...this.engine.specs.values()].flatMap(({ id, limits }) => limits.slice(1).map(({ limit }) => ({ id, limit })));
    return second.flatMap(({ id, limit }) =>
      [...held].flatMap(([key, count]) => (key.startsWith(`${id}:1:`) && count >= limit ? [key] : [])),
    );
  }

  #serve(key: string): void {
    this.#served.delete(key);
    this.#served.set(key, ++this.#turns);
    const [longestAgo] = this.#served.keys();
    if (this.#served.size > KEYS_MAX && longestAgo !== undefined) this.#served.delete(longestAgo);
  }
}
