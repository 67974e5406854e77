import "server-only";
import { createHash } from "node:crypto";
import { Cron } from "croner";
import { type Claim, newClaim } from "@/lib/engine/embedded/claim";
import {
  type BoundEquality,
  type FunctionSpec,
  fieldOf,
  isTriggered,
  matchKey,
  matchKeysOf,
  sameField,
} from "@/lib/engine/embedded/function-specs";
import { callSql } from "@/lib/platform/call-sql";
import { afterCommit, type Queryable } from "@/lib/platform/postgres";
import type {
  EngineCancel,
  EngineStart,
  FunctionLimit,
  SqlFunctions,
} from "@/lib/platform/sql-functions";
import { definePart } from "@/lib/service";

/** What `engine_route` calls the process of a run that nobody drives. */
const NOBODY = -1;

/**
 * An event on its way into the engine. Sending one id twice is harmless while the first is kept (at
 * least a day).
 */
interface SentEvent {
  id: string;
  name: string;
  data: Record<string, unknown>;
}

/**
 * What an event has set going: the lanes in which runs now wait for a place, and the runs that it
 * woke, with the process that drives each.
 */
export interface Routed {
  lanes: string[];
  woken: { id: string; owner: number | null }[];
}

/** The executor of this process, to whoever sends events. */
export interface Router {
  specs: ReadonlyMap<string, FunctionSpec>;
  laneOf: (functionId: string) => string;
  /** Called after the commit. */
  onRouted: (routed: Routed) => void;
  /** A place of this process for a run that is about to be put into a lane; null: it has none. */
  reserve: (lane: string) => Reservation | null;
}

/**
 * A place that is kept for a run which is being accepted. Whoever has one uses it or lets it go,
 * once.
 */
export interface Reservation {
  /** For `engine_claim_new`. */
  owner: number;
  limits: readonly FunctionLimit[];
  /** The run was taken up with its acceptance: this process works on it from now on. */
  drive(claim: Claim): void;
  /** It was not. */
  letGo(): void;
}

/** The executors that run in this process; the last one routes. */
export const routers = definePart("engine.routers", (): Router[] => []);

/**
 * Stores an event within the caller's transaction, and does what it calls for: functions start
 * when, and only if, it commits. Does nothing when the id is known. Where this process drives
 * nothing, one that does finds the event within its next beat.
 * @param functionId sends it to that one function whatever its triggers say
 */
export async function enqueueEvent(
  tx: Queryable,
  event: SentEvent,
  functionId: string | null = null,
): Promise<void> {
  const { id, name, data } = event;
  const [row] = await callSql(tx, "engine_send", {
    id,
    name,
    data: JSON.stringify(data),
    function: functionId,
    ...routeOf(event, functionId),
  });
  announceRouted(tx, toRouted(row));
}

/** What an event calls for, as `engine_send` takes it. */
export function routeOf(event: SentEvent, functionId: string | null = null) {
  const router = routers().at(-1);
  return {
    match_values: matchKeysOf(event.data),
    routes: router !== undefined,
    ...(router ? startsOf(router, event, functionId) : { starts: [], cancels: [] }),
  };
}

/**
 * The same, for an event whose statement may take the run that it starts up as well: `owner` is set
 * where this process has a place for it. `end` is to be called once: with when the event came and
 * whether the run was taken up, or with null where nothing of it has happened or is known to have.
 */
export function routeWithPlace(event: SentEvent) {
  const route = routeOf(event);
  const [start, ...more] = route.starts;
  const place = start && more.length === 0 ? (routers().at(-1)?.reserve(start.lane) ?? null) : null;
  return {
    argument: { ...route, owner: place?.owner ?? null, limits: place?.limits ?? [] },
    end: (taken: { at: Date } | null) => {
      if (!place || !start) return;
      if (!taken) return place.letGo();
      const { id, name, data } = event;
      place.drive(newClaim(start, place.owner, { id, name, data, ts: taken.at.getTime() }));
    },
  };
}

/** What `engine_send` gives; null where nothing was done. */
export function toRouted(
  row: Pick<SqlFunctions["engine_send"]["gives"], "lanes" | "woken" | "owners"> | undefined,
): Routed | null {
  if (!row?.lanes || !row.woken || !row.owners) return null;
  const owners = row.owners.map((owner) => (owner === NOBODY ? null : owner));
  return {
    lanes: [...row.lanes],
    woken: row.woken.map((id, place) => ({ id, owner: owners[place] ?? null })),
  };
}

/**
 * Tells the executor of this process, once `tx` has committed, what `engine_send` has set going.
 */
export function announceRouted(tx: Queryable, routed: Routed | null): void {
  const router = routers().at(-1);
  if (router && routed) afterCommit(tx, () => router.onRouted(routed));
}

const STORED_AT_ONCE = 200;

/** Ids of the oldest events that nobody has routed yet. */
export async function storedEvents(pool: Queryable): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: "engine-stored-events",
    text: `SELECT id FROM engine_events WHERE routed_at IS NULL ORDER BY received_at
           LIMIT ${STORED_AT_ONCE}`,
  });
  return rows.map(({ id }) => id);
}

/**
 * Does what stored events call for whose senders could not. Ids of events that others have done
 * meanwhile are skipped.
 */
export async function routeStored(
  pool: Queryable,
  router: Router,
  ids: readonly string[],
): Promise<void> {
  const { rows } = await pool.query<{
    id: string;
    name: string;
    data: string;
    function_id: string | null;
  }>(
    `SELECT id, name, data, function_id FROM engine_events WHERE id = ANY($1) AND routed_at IS NULL
     ORDER BY received_at`,
    [ids],
  );
  for (const { id, name, data, function_id } of rows) {
    const starts = startsOf(
      router,
      { id, name, data: JSON.parse(data) as Record<string, unknown> },
      function_id,
    );
    const routed = toRouted((await callSql(pool, "engine_route_stored", { id, ...starts }))[0]);
    if (routed) router.onRouted(routed);
  }
}

/** The runs that an event starts, and what cancels them, as `engine_route` takes them. */
function startsOf(
  router: Router,
  event: SentEvent,
  functionId: string | null,
): { starts: EngineStart[]; cancels: EngineCancel[] } {
  const started = [...router.specs.values()]
    .filter((spec) => (functionId === null ? isTriggered(spec, event) : spec.id === functionId))
    .map((spec) => ({ spec, id: runIdOf(spec.id, event.id) }));
  return {
    starts: started.map(({ spec, id }) => ({
      id,
      function_id: spec.id,
      lane: router.laneOf(spec.id),
      ...queueKeysOf(spec, event),
    })),
    cancels: started.flatMap(({ spec, id: run }) =>
      spec.cancels.map((cancel, index) => ({ run, ...toCancelWait(cancel, index, event) })),
    ),
  };
}

/**
 * What a run counts under while it works. A run without a limit has a key all the same, under which
 * its function takes its turns.
 */
export function queueKeysOf(
  spec: FunctionSpec,
  event: { data: unknown },
): { key: string; second_key: string | null } {
  const [first, second] = spec.limits.map(({ field }, index) =>
    limitKey(spec.id, field && fieldOf(event, field), index, field !== undefined),
  );
  return { key: first ?? spec.id, second_key: second ?? null };
}

/** The key of the runs of a function whose limit's key has this value. */
export function limitKey(functionId: string, value: unknown, index = 0, isKeyed = true): string {
  return `${functionId}:${index}:${isKeyed ? JSON.stringify(value ?? null) : ""}`;
}

function toCancelWait(
  { event, field }: FunctionSpec["cancels"][number],
  index: number,
  own: SentEvent,
) {
  const bound = sameField(field, own);
  return {
    step_id: `cancel:${index}`,
    event,
    match_value: indexKeyOf(bound),
    conditions: JSON.stringify([bound]),
  };
}

/** The index key of the value that the awaited event must hold; null when none will do. */
export function indexKeyOf(bound: BoundEquality): string | null {
  return "path" in bound ? matchKey(bound.value) : null;
}

/**
 * The id of the run that an event starts of a function: the same pair gives the same id, so that
 * one event starts a function once.
 */
function runIdOf(functionId: string, eventId: string): string {
  const bytes = createHash("sha256").update(`${functionId}\n${eventId}`).digest().subarray(0, 16);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f); // version 8, RFC 9562 §5.8
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString("hex");
  return (
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-` +
    `${hex.slice(20)}`
  );
}

/**
 * Starts the functions whose time came after `since` and not after `now`: each at most once for a
 * time, however many processes do this.
 */
export async function fireCrons(
  pool: Queryable,
  specs: Iterable<FunctionSpec>,
  since: Date,
  now: Date,
): Promise<void> {
  for (const spec of specs) {
    for (const text of spec.crons) {
      const time = lastBetween(new Cron(text, { mode: "5-part", paused: true }), since, now);
      if (time)
        await enqueueEvent(
          pool,
          {
            id: `cron:${spec.id}:${text}:${time.toISOString()}`,
            name: "inngest/scheduled.timer",
            data: { cron: text },
          },
          spec.id,
        );
    }
  }
}

/** A process that stood still for a while makes up for one firing, not for all. */
function lastBetween(cron: Cron, since: Date, now: Date): Date | null {
  let last: Date | null = null;
  for (
    let next = cron.nextRun(since), count = 0;
    next && next <= now && count < 1_000;
    next = cron.nextRun(next), count++
  )
    last = next;
  return last;
}
