import "server-only";
import { answerInvocation } from "@/lib/engine/embedded/invocation";
import { WAKE_CHANNEL } from "@/lib/engine/embedded/tasks";
import type { Queryable } from "@/lib/platform/postgres";

/** Cancels a run that has not ended. A step that runs right now ends by itself; nothing comes after it. */
export async function cancelRun(tx: Queryable, runId: string): Promise<void> {
  const { rows } = await tx.query<{ event_id: string; owner: number | null }>(
    "update engine_runs set status = 'cancelled', ended_at = now(), wakes = wakes + 1 where id = $1 and status = 'active' returning event_id, owner",
    [runId],
  );
  const [run] = rows;
  if (!run) return;
  await tx.query("delete from engine_waits where run_id = $1", [runId]);
  await tx.query("delete from engine_slots where run_id = $1", [runId]);
  await answerInvocation(tx, run.event_id, { error: { name: "Error", message: "The invoked function was cancelled" } });
  if (run.owner !== null) await tx.query("select pg_notify($1, $2)", [WAKE_CHANNEL, runId]);
}
