import "server-only";
import type { FunctionSpec } from "@/lib/engine/embedded/function-spec";
import { isRecord } from "@/lib/engine/embedded/operation";
import { pokeRuns } from "@/lib/engine/embedded/poke";
import type { Queryable } from "@/lib/platform/postgres";

export interface SlotKey {
  key: string;
  limit: number;
}

/** The places that a run of this function takes up for this event, in an order that all runs share (so that none waits for another in a ring). */
export function slotKeysOf(spec: FunctionSpec, event: object): SlotKey[] {
  const keys = spec.limits.map(({ limit, path }, index) => ({
    key: `${spec.id}:${index}:${path ? JSON.stringify(valueAt(event, path) ?? null) : ""}`,
    limit,
  }));
  return keys.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Takes all of a run's places, or queues it for them and answers false. Call it within the transaction that claims the run. */
export async function takeSlots(tx: Queryable, runId: string, keys: SlotKey[]): Promise<boolean> {
  let free = true;
  for (const { key, limit } of keys) {
    await lockKey(tx, key);
    const { rows } = await tx.query<{ held: number }>(
      "select count(*)::int as held from engine_slots where key = $1 and held and run_id <> $2",
      [key, runId],
    );
    if ((rows[0]?.held ?? 0) >= limit) free = false;
  }
  for (const { key } of keys) {
    await tx.query(
      "insert into engine_slots (key, run_id, held) values ($1, $2, $3) on conflict (key, run_id) do update set held = excluded.held",
      [key, runId, free],
    );
  }
  if (free)
    await pokeNext(
      tx,
      keys.map(({ key }) => key),
    );
  return free;
}

/** Gives a run's places back and pokes who waits for them. Call it within the transaction that ends or suspends the run. */
export async function releaseSlots(tx: Queryable, runId: string): Promise<void> {
  const { rows: mine } = await tx.query<{ key: string }>("select key from engine_slots where run_id = $1 order by key", [runId]);
  for (const { key } of mine) await lockKey(tx, key);
  await tx.query("delete from engine_slots where run_id = $1", [runId]);
  await pokeNext(
    tx,
    mine.map(({ key }) => key),
  );
}

/** Pokes who waits longest for each place. If it gets its places it pokes the next one in turn, so that none stays free. */
async function pokeNext(tx: Queryable, keys: string[]): Promise<void> {
  const { rows } = await tx.query<{ run_id: string }>(
    "select distinct on (key) run_id::text from engine_slots where key = any($1) and not held order by key, since",
    [keys],
  );
  await pokeRuns(tx, [...new Set(rows.map((row) => row.run_id))]);
}

function lockKey(tx: Queryable, key: string) {
  return tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`engine-slot:${key}`]);
}

function valueAt(root: object, path: string[]): unknown {
  let value: unknown = root;
  for (const part of path) value = isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value;
}
