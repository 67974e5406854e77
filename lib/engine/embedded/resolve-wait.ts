import "server-only";
import { pokeSql } from "@/lib/engine/embedded/poke";
import { WAKE_CHANNEL } from "@/lib/engine/embedded/tasks";
import type { Queryable } from "@/lib/platform/postgres";

export type StepOutcome = { data: unknown } | { error: unknown };

const RESOLVE = {
  name: "engine-resolve",
  text: `
    with step as (
      update engine_steps set done = true, data = $3, error = $4, position = default, due_at = null
      where run_id = $1 and id = $2 and not done returning 1
    ), gone as (
      delete from engine_waits where run_id = $1 and step_id = $2
    ), woken as (
      update engine_runs set wakes = wakes + 1 where id = $1 and status = 'active' and exists (select 1 from step) returning id::text, owner
    )
    select case when owner is null then (${pokeSql("id")}).id is not null else pg_notify('${WAKE_CHANNEL}', id) is not null end from woken`,
};

/** Ends a step that waits for something outside its run, and wakes the run. Does nothing when the wait is over already. */
export async function resolveWait(tx: Queryable, runId: string, stepId: string, outcome: StepOutcome): Promise<void> {
  const data = "data" in outcome ? JSON.stringify(outcome.data ?? null) : null;
  const error = "error" in outcome ? JSON.stringify(outcome.error) : null;
  await tx.query({ ...RESOLVE, values: [runId, stepId, data, error] });
}
