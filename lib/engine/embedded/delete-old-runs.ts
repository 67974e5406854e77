import "server-only";
import type { Queryable } from "@/lib/platform/postgres";

const BATCH_ROWS = 1_000;

/** Deletes the engine's rows of runs that ended, and of events that were done with, more than `keepHours` ago; in small batches. */
export async function deleteOldRuns(pool: Queryable, keepHours: number): Promise<void> {
  const runs = `
    with old as (
      select id from engine_runs where ended_at < now() - make_interval(hours => $1) limit ${BATCH_ROWS}
    ), steps as (
      delete from engine_steps using old where run_id = old.id
    ), slots as (
      delete from engine_slots using old where run_id = old.id
    )
    delete from engine_runs using old where engine_runs.id = old.id`;
  const events = `
    delete from engine_events where id in (
      select id from engine_events event where received_at < now() - make_interval(hours => $1) and routed_at is not null
        and not exists (select 1 from engine_runs run where run.event_id = event.id) limit ${BATCH_ROWS})`;
  for (const text of [runs, events]) {
    while (((await pool.query(text, [keepHours])).rowCount ?? 0) >= BATCH_ROWS);
  }
}
