import "server-only";
import { engineState } from "@/lib/engine/engine-state";
import { type EventHub, eventHub } from "@/lib/engine/events/event-hub";
import { CANCEL_CHANNEL, readBatches } from "@/lib/engine/events/event-rows";
import { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { postgres, type Queryable } from "@/lib/platform/postgres";

export type { RunLogWriter } from "@/lib/engine/events/run-log-writer";

/** How long ago a process may have shown that it lives, for its hold on a log to count. */
const LIVE_SECONDS = 15;
const OPEN = {
  name: "engine-log-open",
  text: `update run_logs set writer = writer + 1, owner = $2, lease_until = null where run_id = $1 and closed_at is null
         returning writer, next_sequence as next`,
};
const OPEN_ABANDONED = {
  name: "engine-log-open-abandoned",
  text: `update run_logs log set writer = writer + 1, owner = $2, lease_until = null where run_id = $1 and closed_at is null
           and (lease_until is null or lease_until < now())
           and not exists (select 1 from engine_processes where id = log.owner and seen_at > clock_timestamp() - interval '${LIVE_SECONDS} seconds')
         returning writer, next_sequence as next`,
};

interface OpenOptions {
  /** Only if no living process writes it. */
  abandoned?: boolean;
  hub?: EventHub;
}

/** Becomes the writer of a run's log until `close()`; the one before can store nothing more. Null when the log is closed, not there, or another's. */
export async function openRunLog(runId: string, { abandoned = false, hub = eventHub() }: OpenOptions = {}): Promise<RunLogWriter | null> {
  const { rows } = await hub.pool.query<{ writer: number; next: number }>({
    ...(abandoned ? OPEN_ABANDONED : OPEN),
    values: [runId, engineState().processId],
  });
  const [row] = rows;
  return row ? new RunLogWriter(hub, runId, row.writer, row.next) : null;
}

/** Calls back, perhaps more than once, when the run is cancelled from now on. Returns what ends that. */
export function onCancel(runId: string, callback: () => void, hub: EventHub = eventHub()): () => void {
  return hub.onCancel(runId, callback);
}

/** Up to `limit` stored lines of a run with numbers above `after`, in order. */
export async function readRunEvents(runId: string, after: number, limit: number, pool: Queryable = postgres()): Promise<string[]> {
  const batches = await readBatches(pool, runId, after + 1, limit);
  return batches.flatMap(({ first, lines }) => lines.slice(Math.max(0, after + 1 - first))).slice(0, limit);
}

/** Tells whoever works on a run, in this process or another, that it was cancelled. Commit the run's status first. */
export async function notifyCancel(runId: string, hub: EventHub = eventHub()): Promise<void> {
  hub.cancel(runId);
  await hub.pool.query("select pg_notify($1, $2)", [CANCEL_CHANNEL, runId]);
}
