import "server-only";
import { EVENTS_CHANNEL, NOBODY } from "@/lib/engine/events/channels";
import { toEventLine } from "@/lib/engine/events/event-line";
import type { RunEventBody } from "@/lib/model/run/run-event";
import type { Queryable } from "@/lib/platform/postgres";

type TerminalEvent = RunEventBody & { type: "run.completed" | "run.failed" };

const CLOSE = {
  name: "engine-log-close",
  text: `update run_logs set next_sequence = next_sequence + $3::int, closed_at = now(), lease_until = null
         where run_id = $1 and closed_at is null
           and case when $2::int is null then lease_until is null or lease_until < now() else writer = $2 end
         returning next_sequence - $3::int as first`,
};
const STORE = {
  name: "engine-log-store-last",
  text: `with line as (insert into run_events (run_id, first_sequence, last_sequence, lines) values ($1::uuid, $2, $3, $4))
         select pg_notify('${EVENTS_CHANNEL}', '${NOBODY} ' || $1::text)`,
};

/**
 * Stores a run's last line, and `before` it what becomes true with it, within the caller's transaction: exactly one is ever stored, and nothing after it. Call `announceRunLog` after the commit.
 * @param fence the open writer's, who has flushed; null: only when no live writer holds the log
 * @returns false when the log is closed, taken over, or held by a live writer
 */
export async function closeRunLog(
  tx: Queryable,
  runId: string,
  fence: number | null,
  event: TerminalEvent,
  before: readonly RunEventBody[] = [],
): Promise<boolean> {
  const { rows } = await tx.query<{ first: number }>({ ...CLOSE, values: [runId, fence, before.length + 1] });
  const [row] = rows;
  if (!row) return false;
  const now = Date.now();
  const lines = [...before, event].map((body, index) => toEventLine(runId, row.first + index, now, body));
  await tx.query({ ...STORE, values: [runId, row.first, row.first + before.length, lines.join("\n")] });
  return true;
}
