import "server-only";
import type { Queryable } from "@/lib/platform/postgres";

const STALLED_MS = 30_000;

/**
 * Of each lane the first run that nothing keeps from being taken up: no run of its key is at work,
 * so no limit of an account can be what it waits for. Looks at the head of the queue alone, however
 * long it is; keys take turns there.
 */
const HEADS = {
  name: "engine-lane-heads",
  text: `
    SELECT l.lane, head.id::text, head.attempt FROM unnest($1::text[]) AS l(lane)
    CROSS JOIN LATERAL (
      SELECT r.id, r.attempt FROM (
        SELECT id, attempt, key, second_key, turn, since FROM engine_runs
        WHERE lane = l.lane AND queued ORDER BY turn, since LIMIT 200) r
      WHERE NOT EXISTS (SELECT 1 FROM engine_runs w WHERE w.owner IS NOT NULL AND w.key = r.key)
        AND NOT EXISTS (SELECT 1 FROM engine_runs w WHERE w.owner IS NOT NULL
            AND w.second_key = r.second_key)
        AND NOT EXISTS (SELECT 1 FROM engine_limits e WHERE e.key = r.key AND e.most < 1)
      ORDER BY r.turn, r.since LIMIT 1) head`,
};
/** Who holds a run's row keeps it from being taken up, and it alone. */
const IS_FREE = "SELECT 1 FROM engine_runs WHERE id = $1 AND queued FOR UPDATE SKIP LOCKED";

interface Head {
  lane: string;
  id: string;
  attempt: number;
}

/**
 * Finds lanes of the embedded executor that take nothing though runs wait: the same run stands
 * first, and has not been taken up in between, for half a minute. Of all processes together, for
 * each of them takes from the same lanes.
 */
export class StalledLanes {
  readonly #heads = new Map<string, { head: string; since: number }>();

  constructor(
    readonly database: Queryable,
    readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * @param waiting the lanes in which runs wait; with none of them nothing is asked
   * @returns those that are stalled
   */
  async look(waiting: readonly string[]): Promise<string[]> {
    for (const lane of this.#heads.keys()) if (!waiting.includes(lane)) this.#heads.delete(lane);
    if (waiting.length === 0) return [];
    const { rows } = await this.database.query<Head>({ ...HEADS, values: [waiting] });
    for (const lane of waiting)
      if (!rows.some((row) => row.lane === lane)) this.#heads.delete(lane);
    const stalled = [];
    for (const row of rows) if (await this.#isStalled(row)) stalled.push(row.lane);
    return stalled;
  }

  /** What was seen before says nothing: nobody could take anything up meanwhile. */
  forget(): void {
    this.#heads.clear();
  }

  async #isStalled({ lane, id, attempt }: Head): Promise<boolean> {
    const head = `${id}:${attempt}`;
    const seen = this.#heads.get(lane);
    if (seen?.head !== head) {
      this.#heads.set(lane, { head, since: this.now() });
      return false;
    }
    if (this.now() - seen.since < STALLED_MS) return false;
    return (await this.database.query(IS_FREE, [id])).rows.length > 0;
  }
}
