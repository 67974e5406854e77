import "server-only";
import { matchKeysOf } from "@/lib/engine/embedded/condition";
import type { EngineEvent } from "@/lib/engine/embedded/engine-event";
import { JOB_MAX_ATTEMPTS, ROUTE_TASK } from "@/lib/engine/embedded/tasks";
import type { Queryable } from "@/lib/platform/postgres";

const ENQUEUE = {
  name: "engine-enqueue",
  text: `
    with event as (
      insert into engine_events (id, name, data, function_id, match_values) values ($1, $2, $3, $4, $5::text[])
      on conflict (id) do nothing returning id
    )
    select graphile_worker.add_job('${ROUTE_TASK}', json_build_object('id', id), job_key := 'event:' || id, max_attempts := ${JOB_MAX_ATTEMPTS}) is not null as added
    from event`,
};

/**
 * Stores an event and its job within the caller's transaction: functions start when, and only if, it commits.
 * Does nothing when the id is known. `functionId` sends it to that one function whatever its triggers say.
 */
export async function enqueueEvent(tx: Queryable, event: EngineEvent, functionId: string | null = null): Promise<void> {
  await tx.query({ ...ENQUEUE, values: [event.id, event.name, JSON.stringify(event.data), functionId, matchKeysOf(event.data)] });
}
