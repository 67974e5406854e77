import "server-only";
import { cancelRun } from "@/lib/engine/embedded/cancel-run";
import { type BoundEquality, bindCondition, holdsFor, matchesBound } from "@/lib/engine/embedded/condition";
import type { Engine } from "@/lib/engine/embedded/engine";
import type { FunctionSpec } from "@/lib/engine/embedded/function-spec";
import { inTransaction } from "@/lib/engine/embedded/in-transaction";
import { isRecord } from "@/lib/engine/embedded/operation";
import { resolveWait } from "@/lib/engine/embedded/resolve-wait";
import { runIdOf } from "@/lib/engine/embedded/run-id";
import { waitingRows } from "@/lib/engine/embedded/run-queue";
import type { Claim, StoredEvent } from "@/lib/engine/embedded/run-store";
import { indexKeyOf } from "@/lib/engine/embedded/step-store";
import type { Queryable } from "@/lib/platform/postgres";

interface Wait {
  run_id: string;
  step_id: string;
  kind: "resume" | "cancel";
  conditions: string;
}

const LOAD = {
  name: "engine-load-event",
  text: `
    select event.id, event.name, event.data, event.function_id, event.received_at,
      (select json_agg(json_build_object('run_id', run_id, 'step_id', step_id, 'kind', kind, 'conditions', conditions))
       from engine_waits wait
       where wait.event = event.name and (wait.due_at is null or wait.due_at > now())
         and (wait.match_value is null or event.match_values is null or wait.match_value = any(event.match_values))) as waits
    from engine_events event where event.id = $1 and event.routed_at is null`,
};
const START = {
  name: "engine-start-runs",
  text: `
    with routed as (
      update engine_events set routed_at = now() where id = $1 and routed_at is null returning id, received_at
    ), run as (
      insert into engine_runs (id, function_id, event_id, owner, attempt)
      select start.id, start.function_id, routed.id, start.owner, case when start.owner is null then 0 else 1 end
      from routed, unnest($2::uuid[], $3::text[], $4::int[]) as start(id, function_id, owner)
      on conflict (id) do nothing returning id
    ), waiting as (
      insert into engine_slots (key, run_id, held, since, lane) select slot.key, run.id, false, routed.received_at, slot.lane
      from routed, run join unnest($11::text[], $12::uuid[], $13::text[]) as slot(key, run_id, lane) on slot.run_id = run.id
    ), cancel as (
      insert into engine_waits (run_id, step_id, kind, event, match_value, conditions, due_at)
      select wait.run_id, wait.step_id, 'cancel', wait.event, wait.match_value, wait.conditions, wait.due_at
      from routed, unnest($5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::timestamptz[])
        as wait(run_id, step_id, event, match_value, conditions, due_at)
      on conflict do nothing
    )
    select run.id::text from run`,
};

/**
 * Does what an event calls for, once: ends the waits and the runs that it matches, and starts the functions that it triggers.
 * A run without a limit is claimed for this process at once, if `take` has a place for it in its lane; the others wait in their lanes' queues.
 */
export async function routeEvent(engine: Engine, eventId: string, take: TakePlace): Promise<Started> {
  const { rows } = await engine.pool.query<{
    id: string;
    name: string;
    data: string;
    function_id: string | null;
    received_at: Date;
    waits: Wait[] | null;
  }>({
    ...LOAD,
    values: [eventId],
  });
  const [row] = rows;
  if (!row) return { claims: [], lanes: [] };
  const event = { id: row.id, name: row.name, data: JSON.parse(row.data) as unknown, ts: row.received_at.getTime() };
  const waits = (row.waits ?? []).filter((wait) =>
    (JSON.parse(wait.conditions) as BoundEquality[]).every((bound) => matchesBound(bound, event)),
  );
  const specs = [...engine.specs.values()].filter((spec) =>
    row.function_id === null ? isTriggered(spec, event) : spec.id === row.function_id,
  );
  if (waits.length === 0) return startRuns(engine.pool, engine, specs, event, take);
  return inTransaction(engine.pool, async (tx) => {
    for (const wait of waits.sort(byRun)) {
      if (wait.kind === "cancel") await cancelRun(tx, wait.run_id);
      else await resolveWait(tx, wait.run_id, wait.step_id, { data: event });
    }
    return startRuns(tx, engine, specs, event, take);
  });
}

/** Takes a place of a lane; false when none is free. */
export type TakePlace = (lane: string) => boolean;

/** What an event has started: runs to drive now, each on a place that was taken for it, and the lanes in which others wait. */
export interface Started {
  claims: Claim[];
  lanes: string[];
}

async function startRuns(tx: Queryable, engine: Engine, specs: FunctionSpec[], event: StoredEvent, take: TakePlace): Promise<Started> {
  const runs = specs.map((spec) => {
    const lane = engine.laneOf(spec.id);
    return { id: runIdOf(spec.id, event.id), spec, lane, isPlaced: spec.limits.length === 0 && take(lane) };
  });
  const owner = engine.owner();
  const waiting = waitingRows(runs.filter(({ isPlaced }) => !isPlaced).map(({ id, spec, lane }) => ({ runId: id, spec, event, lane })));
  const cancels = runs.flatMap(({ id, spec }) => toCancelWaits(id, spec, event));
  const values = [
    event.id,
    runs.map(({ id }) => id),
    runs.map(({ spec }) => spec.id),
    runs.map(({ isPlaced }) => (isPlaced ? owner : null)),
    cancels.map((wait) => wait.runId),
    cancels.map((wait) => wait.stepId),
    cancels.map((wait) => wait.event),
    cancels.map((wait) => wait.matchValue),
    cancels.map((wait) => wait.conditions),
    cancels.map((wait) => wait.dueAt),
    waiting.keys,
    waiting.runIds,
    waiting.lanes,
  ];
  const { rows } = await tx.query<{ id: string }>({ ...START, values });
  const started = runs.filter(({ id }) => rows.some((row) => row.id === id));
  const claims = started
    .filter(({ isPlaced }) => isPlaced)
    .map(({ id, spec }) => ({ runId: id, functionId: spec.id, owner, attempt: 1, wakes: 0, failures: 0, takeovers: 0, event }));
  return { claims, lanes: [...new Set(started.filter(({ isPlaced }) => !isPlaced).map(({ lane }) => lane))] };
}

function toCancelWaits(runId: string, spec: FunctionSpec, event: StoredEvent) {
  return spec.cancels.map((cancel, index) => {
    const conditions = cancel.condition ? bindCondition(cancel.condition, event) : [];
    const dueAt = cancel.timeoutMs === null ? null : new Date(Date.now() + cancel.timeoutMs);
    return {
      runId,
      stepId: `cancel:${index}`,
      event: cancel.event,
      matchValue: indexKeyOf(conditions),
      conditions: JSON.stringify(conditions),
      dueAt,
    };
  });
}

function isTriggered(spec: FunctionSpec, event: StoredEvent): boolean {
  return spec.events.some(
    ({ name, condition }) => name === event.name && (condition === null || holdsFor(condition, isRecord(event) ? event : {})),
  );
}

/** One order for all, so that two events which touch the same runs cannot lock each other out. */
function byRun(a: Wait, b: Wait): number {
  return a.run_id < b.run_id ? -1 : a.run_id > b.run_id ? 1 : a.kind < b.kind ? -1 : 1;
}
