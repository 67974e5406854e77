import "server-only";
import { postgres, type Queryable } from "@/lib/platform/postgres";

const BATCH_RUNS = 200;

/** Deletes the logs of runs that ended more than `keepHours` ago, in small batches. Returns how many logs. */
export async function deleteOldRunEvents(keepHours: number, pool: Queryable = postgres()): Promise<number> {
  for (let deleted = 0; ; ) {
    const { rowCount } = await pool.query(
      `with old as (
         select run_id from run_logs where closed_at < now() - make_interval(hours => $1) limit ${BATCH_RUNS} for update skip locked
       ), lines as (
         delete from run_events using old where run_events.run_id = old.run_id
       )
       delete from run_logs using old where run_logs.run_id = old.run_id`,
      [keepHours],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH_RUNS) return deleted;
  }
}
