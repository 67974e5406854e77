import "server-only";
import { type EventHub, eventHub } from "@/lib/engine/events/event-hub";
import { RunLogWriter } from "@/lib/engine/events/run-log-writer";

export type { RunLogWriter } from "@/lib/engine/events/run-log-writer";

const OPEN = {
  name: "engine-log-open",
  text: `update run_logs set writer = writer + 1, lease_until = now() + make_interval(secs => $2)
         where run_id = $1 and closed_at is null returning writer, next_sequence`,
};

/** Becomes the writer of a run's log; the one before can store nothing more. The lease is renewed until `close()`. Null when the log is closed or not there. */
export async function openRunLog(
  runId: string,
  { leaseSeconds, hub = eventHub() }: { leaseSeconds: number; hub?: EventHub },
): Promise<RunLogWriter | null> {
  const { rows } = await hub.pool.query<{ writer: number; next_sequence: number }>({ ...OPEN, values: [runId, leaseSeconds] });
  const [row] = rows;
  return row ? new RunLogWriter(hub, runId, row.writer, row.next_sequence, leaseSeconds) : null;
}
