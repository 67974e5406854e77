import "server-only";
import { toEventLine } from "@/lib/engine/events/event-line";
import type { RunEventBody } from "@/lib/model/run/run-event";
import type { Queryable } from "@/lib/platform/postgres";

const CREATE = {
  name: "engine-log-create",
  text: `with log as (insert into run_logs (run_id, next_sequence) values ($1, 1))
         insert into run_events (run_id, first_sequence, last_sequence, lines) values ($1, 0, 0, $2)`,
};

/** Begins a run's log with its line 0, within the caller's transaction. Call `announceRunLog` after the commit. */
export async function createRunLog(tx: Queryable, runId: string, firstEvent: RunEventBody): Promise<void> {
  await tx.query({ ...CREATE, values: [runId, toEventLine(runId, 0, Date.now(), firstEvent)] });
}
