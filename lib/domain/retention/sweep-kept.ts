import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { removeBytes } from "@/lib/domain/blobs/stored-bytes";
import { findValues, SWEEPS, type Sweep } from "@/lib/domain/retention/sweeps";
import { env } from "@/lib/env";
import { transaction } from "@/lib/platform/postgres";
import { processSingleton } from "@/lib/platform/process-singleton";

const DAY_MS = 24 * 3600 * 1000;
/** Between two batches: others are at work on the same database. */
const PAUSE_MS = 20;

export interface Swept {
  removed: number;
  /** False when the time was up before all was gone: the next pass goes on from there. */
  finished: boolean;
}

/**
 * Removes what one sweep has kept long enough, batch by batch, each in a short transaction of its own, until nothing is left or the time is up. May die
 * anywhere: what is left goes the next time, and bytes without a row are the collector's.
 * @param limitMs how long this pass may take
 */
export async function sweepKept(sweep: Sweep, limitMs: number, now: () => number = Date.now): Promise<Swept> {
  const days = sweep.days(env());
  if (days === 0) return { removed: 0, finished: true };
  const places = processSingleton("retention-places", () => new Map<string, string>());
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

async function removeBatch(sweep: Sweep, cutoff: Date, after: string): Promise<{ count: number; last: string }> {
  const { ids, keys } = await transaction(async (tx) => {
    const { rows } = await tx.query<{ id: string }>(sweep.find, findValues(sweep, cutoff, after));
    const ids = rows.map(({ id }) => id);
    return { ids, keys: ids.length === 0 ? [] : await sweep.remove(tx, ids) };
  });
  for (const key of keys) await removeBytes(key);
  return { count: ids.length, last: ids.at(-1) ?? after };
}
