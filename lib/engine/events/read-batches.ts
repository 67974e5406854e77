import "server-only";
import type { EventBatch } from "@/lib/engine/events/event-batch";
import type { Queryable } from "@/lib/platform/postgres";

const READ = {
  name: "engine-log-read",
  text: `
    select first_sequence as first, last_sequence as last, lines from run_events
    where run_id = $1 and last_sequence >= $2
      and first_sequence >= coalesce((select max(first_sequence) from run_events where run_id = $1 and first_sequence <= $2), 0)
    order by first_sequence limit $3`,
};

/** Stored batches from the one that holds number `from` on; the first may begin before it. */
export async function readBatches(pool: Queryable, runId: string, from: number, limit: number): Promise<EventBatch[]> {
  const { rows } = await pool.query<{ first: number; last: number; lines: string }>({ ...READ, values: [runId, from, limit] });
  return rows.map(({ first, last, lines }) => ({ first, last, lines: lines.split("\n") }));
}
