import "server-only";
import { toEventLine } from "@/lib/engine/events/event-rows";
import type { Queryable } from "@/lib/platform/postgres";

/** Begins a run's log as the acceptance of the run does; gives its first line. */
export async function beginLog(pool: Queryable, runId: string): Promise<string> {
  const first = {
    type: "run.created",
    render_protocol: 1,
    status: "pending",
    agent_id: null,
    conversation_id: null,
  } as const;
  const line = toEventLine(runId, 0, Date.now(), first);
  await pool.query("INSERT INTO run_logs (run_id, next_sequence) VALUES ($1, 1)", [runId]);
  await pool.query(
    "INSERT INTO run_events (run_id, first_sequence, last_sequence, lines) VALUES ($1, 0, 0, $2)",
    [runId, line],
  );
  return line;
}
