import "server-only";
import { CANCEL_CHANNEL } from "@/lib/engine/events/channels";
import { type EventHub, eventHub } from "@/lib/engine/events/event-hub";

/** Tells whoever works on a run, in this process or another, that it was cancelled. Commit the run's status first. */
export async function notifyCancel(runId: string, hub: EventHub = eventHub()): Promise<void> {
  hub.cancel(runId);
  await hub.pool.query("select pg_notify($1, $2)", [CANCEL_CHANNEL, runId]);
}
