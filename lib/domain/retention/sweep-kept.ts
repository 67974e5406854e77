import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { removeBytes } from "@/lib/domain/blobs/stored-bytes";
import { removeArtifacts, removeRuns } from "@/lib/domain/retention/remove-rows";
import { type Env, env } from "@/lib/env";
import { firstIdAt } from "@/lib/platform/ids";
import { type Transaction, transaction } from "@/lib/platform/postgres";
import { definePart } from "@/lib/service";

const DAY_MS = 24 * 3600 * 1000;
/** Between two batches: others are at work on the same database. */
const PAUSE_MS = 20;

/** How far each sweep has come, by its name. */
const sweptPlaces = definePart("retention-places", () => new Map<string, string>());

interface Swept {
  removed: number;
  /** False when the time was up before all was gone: the next pass goes on from there. */
  finished: boolean;
}

/**
 * Removes what one sweep has kept long enough, batch by batch, each in a short transaction of its
 * own, until nothing is left or the time is up. May die anywhere: what is left goes the next time,
 * and bytes without a row are the collector's.
 * @param limitMs how long this pass may take
 */
export async function sweepKept(
  sweep: Sweep,
  limitMs: number,
  now: () => number = Date.now,
): Promise<Swept> {
  const days = sweep.days(env());
  if (days === 0) return { removed: 0, finished: true };
  const places = sweptPlaces();
  const [startedAt, cutoff] = [now(), new Date(now() - days * DAY_MS)];
  for (let removed = 0; ; await pause(PAUSE_MS)) {
    const batch = await removeBatch(sweep, cutoff, places.get(sweep.name) ?? sweep.least);
    removed += batch.count;
    // From the beginning the next time: what was passed over may be old enough by then.
    if (batch.count < sweep.batchRows) places.delete(sweep.name);
    else if (sweep.before === "id") places.set(sweep.name, batch.last);
    if (batch.count < sweep.batchRows) return { removed, finished: true };
    if (now() - startedAt >= limitMs) return { removed, finished: false };
  }
}

export function sweepByName(name: string): Sweep {
  const sweep = SWEEPS.find((each) => each.name === name);
  if (!sweep) throw new Error(`there is no sweep ${name}`);
  return sweep;
}

async function removeBatch(
  sweep: Sweep,
  cutoff: Date,
  after: string,
): Promise<{ count: number; last: string }> {
  const { ids, keys } = await transaction(async (tx) => {
    const { rows } = await tx.query<{ id: string }>(sweep.find, findValues(sweep, cutoff, after));
    const ids = rows.map(({ id }) => id);
    return { ids, keys: ids.length === 0 ? [] : await sweep.remove(tx, ids) };
  });
  for (const key of keys) await removeBytes(key);
  return { count: ids.length, last: ids.at(-1) ?? after };
}

/** What is removed once it has been kept long enough. */
interface Sweep {
  name: string;
  /** Days that it is kept; 0: for ever. */
  days(env: Env): number;
  /** At most this many at once: a transaction of some ten milliseconds. */
  batchRows: number;
  /**
   * Finds a batch, locked, by an index: `$1` the moment before which all may go, `$2` what was
   * found last, `$3` how many. Gives `id`s in their order.
   * What somebody else has locked is left for the next time.
   */
  find: string;
  /** Of `$2`, before all others. */
  least: string;
  /**
   * `$1` is the moment itself, or the least id made at it: ids begin with the time, so that no
   * index of times is needed where rows are many.
   */
  before: "time" | "id";
  /** @returns the keys of bytes that no row names any more */
  remove(tx: Transaction, ids: readonly string[]): Promise<string[]>;
}

const LEAST_ID = "00000000-0000-0000-0000-000000000000";
/** Seen or not: what a run has to say stands in the run. */
const NOTIFICATIONS_DAYS = 90;
/** The account's feed; who follows it has seen them long before. */
const EVENTS_DAYS = 30;
/** Beside the newest thousand of each schedule. */
const FIRINGS_DAYS = 90;
/** What no run names any more; a run that begins with it at that moment stores it anew. */
const PROMPTS_DAYS = 1;
/**
 * For whoever looks what became of a key, a link or a session; the audit log tells it for longer.
 */
const ENDED_DAYS = 30;

const rowsOf = (table: string) => async (tx: Transaction, ids: readonly string[]) => {
  await tx.query(`DELETE FROM ${table} WHERE id = ANY($1)`, [ids]);
  return [];
};

/**
 * Rows whose id is of before the moment. `$1` is that id: what was made before has smaller ones.
 */
function byId(
  name: string,
  table: string,
  batchRows: number,
  days: Sweep["days"],
  which = "true",
): Sweep {
  return {
    name,
    days,
    batchRows,
    before: "id",
    least: LEAST_ID,
    find: `SELECT id FROM ${table} t WHERE id < $1::uuid AND id > $2::uuid AND ${which} ORDER BY id
           LIMIT $3 FOR UPDATE SKIP LOCKED`,
    remove: rowsOf(table),
  };
}

/**
 * Rows that ended or expired before the moment, by the index of that column. They go as they are
 * found, so there is no last one to go on from.
 */
function byTime(name: string, table: string, column: string): Sweep {
  return {
    name,
    days: () => ENDED_DAYS,
    batchRows: 500,
    before: "time",
    least: "",
    find: `SELECT id FROM ${table} WHERE ${column} < $1::timestamptz AND $2::text IS NOT NULL
           ORDER BY ${column} LIMIT $3 FOR UPDATE SKIP LOCKED`,
    remove: rowsOf(table),
  };
}

/**
 * When an id was made, for what is older than it looks: a run may wait for a person, and a
 * conversation may go on.
 */
const TIME_OF_BOUND =
  "to_timestamp((('x' || translate(left($1::text, 13), '-', ''))::bit(48)::bigint) / 1000.0)";

export const SWEEPS: readonly Sweep[] = [
  {
    ...byId(
      "runs",
      "runs",
      100,
      (env) => env.RETENTION_RUNS_DAYS,
      `completed_at < ${TIME_OF_BOUND}
       AND NOT EXISTS (SELECT 1 FROM run_logs l WHERE l.run_id = t.id AND l.closed_at IS NULL)
       AND NOT EXISTS (SELECT 1 FROM credit_holds h WHERE h.run_id = t.id)`,
    ),
    remove: removeRuns,
  },
  {
    ...byId(
      "artifacts",
      "artifacts",
      100,
      (env) => env.RETENTION_ARTIFACTS_DAYS,
      "EXISTS (SELECT 1 FROM runs r WHERE r.id = t.run_id AND r.completed_at IS NOT NULL)",
    ),
    remove: removeArtifacts,
  },
  byId(
    "conversations",
    "conversations",
    100,
    (env) => env.RETENTION_CONVERSATIONS_DAYS,
    `active_run_id IS NULL AND updated_at < ${TIME_OF_BOUND}`,
  ),
  byId(
    "webhook_deliveries",
    "webhook_deliveries",
    500,
    (env) => env.RETENTION_DELIVERIES_DAYS,
    `(status <> 'pending' OR requested_at < ${TIME_OF_BOUND})`,
  ),
  byId("notifications", "notifications", 1_000, () => NOTIFICATIONS_DAYS),
  byId("account_events", "account_events", 1_000, () => EVENTS_DAYS),
  byId("schedule_firings", "schedule_firings", 1_000, () => FIRINGS_DAYS),
  byId(
    "prompts",
    "prompts",
    500,
    () => PROMPTS_DAYS,
    // Row by row, by the index: a join would read all that runs were shown.
    `(SELECT p.run_id FROM run_prompts p WHERE p.account_id = t.account_id AND p.hash = t.hash
       LIMIT 1) IS NULL`,
  ),
  byTime("revoked_keys", "api_keys", "revoked_at"),
  byTime("expired_keys", "api_keys", "expires_at"),
  byTime("webhook_secrets", "webhook_secrets", "expires_at"),
  byTime("sessions", "user_sessions", "expires_at"),
  byTime("links", "user_tokens", "expires_at"),
  byTime("invitations", "invitations", "expires_at"),
];

/** The values of a sweep's `find`. */
export function findValues(
  sweep: Sweep,
  cutoff: Date,
  after: string,
): [Date | string, string, number] {
  return [sweep.before === "time" ? cutoff : firstIdAt(cutoff.getTime()), after, sweep.batchRows];
}
