import "server-only";
import type { Engine } from "@/lib/engine/embedded/lane";
import { queueKeysOf } from "@/lib/engine/embedded/router";
import type { Queryable } from "@/lib/platform/postgres";

const BATCH_ROWS = 200;
/** What an older version started and nobody took into the queue. */
const HOMELESS = `
  SELECT run.id::text, run.function_id, event.data
  FROM engine_runs run JOIN engine_events event ON event.id = run.event_id
  WHERE run.status = 'active' AND run.lane IS NULL AND (run.owner IS NULL OR NOT EXISTS (SELECT 1 FROM engine_processes WHERE id = run.owner))
    AND run.created_at < now() - interval '5 seconds' ORDER BY run.created_at LIMIT ${BATCH_ROWS}`;
const ADOPT = `
  UPDATE engine_runs SET lane = $2, key = $3, second_key = $4, turn = engine_next_turn($2, $3), owner = NULL, queued = due_at IS NULL
  WHERE id = $1 AND status = 'active' AND lane IS NULL`;
/** Runs whose driver is in no list, and runs that wait for nothing: no place, no time, no event. */
const FORGOTTEN = `
  UPDATE engine_runs SET owner = NULL, due_at = NULL, queued = TRUE, turn = engine_next_turn(lane, key)
  WHERE id IN (
    SELECT id FROM engine_runs run
    WHERE status = 'active' AND lane IS NOT NULL AND NOT queued AND created_at < now() - interval '30 seconds' AND (
      (owner IS NOT NULL AND NOT EXISTS (SELECT 1 FROM engine_processes WHERE id = run.owner))
      OR (owner IS NULL AND due_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM engine_steps step WHERE step.run_id = run.id AND NOT step.done AND step.op IN ('WaitForEvent', 'Sleep'))))
    ORDER BY created_at LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED)`;

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
