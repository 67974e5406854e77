import "server-only";
import type { FunctionSpec } from "@/lib/engine/embedded/function-spec";
import { isRecord } from "@/lib/engine/embedded/operation";
import type { StoredEvent } from "@/lib/engine/embedded/run-store";
import type { Queryable } from "@/lib/platform/postgres";

/** What a run counts under while it works: all runs of its function, or those with one value of a limit's key. */
export interface QueueKey {
  key: string;
  /** Runs under the key that may work at once; null where only the lane's places limit. */
  limit: number | null;
  /** The value at the limit's path. */
  value: unknown;
}

/** A run whose turn it is. */
export interface WaitingRun {
  runId: string;
  functionId: string;
  event: StoredEvent;
}

/**
 * The keys of a run of this function for this event. The first one decides in whose turn the run is taken.
 * A run without a limit has one all the same, under which it waits when its lane is full.
 */
export function queueKeysOf(spec: FunctionSpec, event: object): [QueueKey, ...QueueKey[]] {
  const keys = spec.limits.map(({ limit, path }, index): QueueKey => {
    const value = path && valueAt(event, path);
    return { key: `${spec.id}:${index}:${path ? JSON.stringify(value ?? null) : ""}`, limit, value };
  });
  const [first, ...rest] = keys;
  return first ? [first, ...rest] : [{ key: spec.id, limit: null, value: undefined }];
}

/** The rows of `engine_slots` by which a run waits, as columns. */
export function waitingRows(runs: { runId: string; spec: FunctionSpec; event: object; lane: string }[]) {
  const rows = runs.flatMap(({ runId, spec, event, lane }) =>
    queueKeysOf(spec, event).map(({ key }, index) => ({ key, runId, lane: index === 0 ? lane : null })),
  );
  return { keys: rows.map(({ key }) => key), runIds: rows.map(({ runId }) => runId), lanes: rows.map(({ lane }) => lane) };
}

const ENQUEUE = {
  name: "engine-enqueue-run",
  text: `
    with run as (
      select run.id, event.received_at from engine_runs run join engine_events event on event.id = run.event_id
      where run.id = $1 and run.owner is null and run.status = 'active' for update of run
    )
    insert into engine_slots (key, run_id, held, since, lane)
    select slot.key, run.id, false, run.received_at, slot.lane from run, unnest($2::text[], $3::text[]) as slot(key, lane)
    on conflict (key, run_id) do update set held = false, lane = excluded.lane`,
};

/** Has a run that nobody drives wait for a place: before the younger ones of its key, also where it has worked before. */
export async function enqueueRun(pool: Queryable, spec: FunctionSpec, event: object, runId: string, lane: string): Promise<void> {
  const { keys, lanes } = waitingRows([{ runId, spec, event, lane }]);
  await pool.query({ ...ENQUEUE, values: [runId, keys, lanes] });
}

/** A key under which runs wait for places of a lane. */
export interface WaitingKey {
  key: string;
  /** Runs under it that work now. */
  held: number;
  /** When the oldest of them was asked for. */
  since: Date;
}

// Jumps from key to key along the index: a thousand runs that wait under one key cost as much as one.
const KEYS = {
  name: "engine-waiting-keys",
  text: `
    with recursive waiting(key) as (
      (select key from engine_slots where lane = $1 order by key limit 1)
      union all
      select (select slot.key from engine_slots slot where slot.lane = $1 and slot.key > waiting.key order by slot.key limit 1)
      from waiting where waiting.key is not null
    )
    select key, (select count(*) from engine_slots slot where slot.key = waiting.key and slot.held)::int as held,
      (select min(since) from engine_slots slot where slot.lane = $1 and slot.key = waiting.key) as since
    from waiting where key is not null`,
};

export async function listWaitingKeys(pool: Queryable, lane: string): Promise<WaitingKey[]> {
  const { rows } = await pool.query<WaitingKey>({ ...KEYS, values: [lane] });
  return rows;
}

/** The keys of these functions under which runs work, and how many. */
export async function countHeld(pool: Queryable): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ key: string; held: number }>({
    name: "engine-held-keys",
    text: "select key, count(*)::int as held from engine_slots where held group by key",
  });
  return new Map(rows.map(({ key, held }) => [key, held]));
}

const OLDEST = {
  name: "engine-oldest-waiting",
  text: `
    select waiting.n::int as turn, run.id::text as "runId", run.function_id as "functionId", event.id, event.name, event.data, event.received_at as "receivedAt"
    from unnest($2::text[], $3::int[]) with ordinality as turn(key, most, n) cross join lateral (
      select run.id, run.event_id, turn.n from engine_slots slot join engine_runs run on run.id = slot.run_id
      where slot.lane = $1 and slot.key = turn.key
        and not exists (select 1 from engine_slots other where other.run_id = slot.run_id and other.key = any($4::text[]))
      order by slot.since, run.event_id limit turn.most
    ) waiting
    join engine_runs run on run.id = waiting.id join engine_events event on event.id = waiting.event_id
    order by event.received_at, event.id`,
};

interface OldestRow extends Omit<StoredEvent, "data" | "ts"> {
  turn: number;
  runId: string;
  functionId: string;
  data: string;
  receivedAt: Date;
}

/** For each key the runs that have waited longest, at most as many as it says, oldest first; none that a key of `full` holds back. */
export async function listOldest(
  pool: Queryable,
  lane: string,
  keys: readonly { key: string; most: number }[],
  full: readonly string[],
): Promise<WaitingRun[][]> {
  const values = [lane, keys.map(({ key }) => key), keys.map(({ most }) => most), full];
  const { rows } = await pool.query<OldestRow>({ ...OLDEST, values });
  return keys.map((_, index) => rows.filter(({ turn }) => turn === index + 1).map(toWaitingRun));
}

function toWaitingRun({ runId, functionId, id, name, data, receivedAt }: OldestRow): WaitingRun {
  return { runId, functionId, event: { id, name, data: JSON.parse(data) as unknown, ts: receivedAt.getTime() } };
}

function valueAt(root: object, path: string[]): unknown {
  let value: unknown = root;
  for (const part of path) value = isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value;
}
