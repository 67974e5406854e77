import "server-only";
import type { Engine } from "@/lib/engine/embedded/lane";
import { queueKeysOf } from "@/lib/engine/embedded/router";
import type { Queryable } from "@/lib/platform/postgres";

const BATCH_ROWS = 200;
/** What an older version started and nobody took into the queue. */
const HOMELESS = `
  select run.id::text, run.function_id, event.data
  from engine_runs run join engine_events event on event.id = run.event_id
  where run.status = 'active' and run.lane is null and (run.owner is null or not exists (select 1 from engine_processes where id = run.owner))
    and run.created_at < now() - interval '5 seconds' order by run.created_at limit ${BATCH_ROWS}`;
const ADOPT = `
  update engine_runs set lane = $2, key = $3, second_key = $4, turn = engine_next_turn($2, $3), owner = null, queued = due_at is null
  where id = $1 and status = 'active' and lane is null`;
/** Runs whose driver is in no list, and runs that wait for nothing: no place, no time, no event. */
const FORGOTTEN = `
  update engine_runs set owner = null, due_at = null, queued = true, turn = engine_next_turn(lane, key)
  where id in (
    select id from engine_runs run
    where status = 'active' and lane is not null and not queued and created_at < now() - interval '30 seconds' and (
      (owner is not null and not exists (select 1 from engine_processes where id = run.owner))
      or (owner is null and due_at is null
        and not exists (select 1 from engine_steps step where step.run_id = run.id and not step.done and step.op in ('WaitForEvent', 'Sleep'))))
    order by created_at limit ${BATCH_ROWS} for update skip locked)`;

/**
 * Finds runs that nobody would ever take up again, whatever lost them, and has them wait for a place. Costs an indexed read when all is well.
 * @returns how many it found
 */
export async function reconcileRuns(pool: Queryable, { specs, laneOf }: Pick<Engine, "specs" | "laneOf">): Promise<number> {
  const { rows } = await pool.query<{ id: string; function_id: string; data: string }>(HOMELESS);
  for (const { id, function_id, data } of rows) {
    const spec = specs.get(function_id);
    if (!spec) continue;
    const { key, second_key } = queueKeysOf(spec, { data: JSON.parse(data) as unknown });
    await pool.query(ADOPT, [id, laneOf(function_id), key, second_key]);
  }
  const forgotten = await pool.query(FORGOTTEN);
  return rows.length + (forgotten.rowCount ?? 0);
}
