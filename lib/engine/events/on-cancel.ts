import "server-only";
import { type EventHub, eventHub } from "@/lib/engine/events/event-hub";

/** Calls back, perhaps more than once, when the run is cancelled from now on. Returns what ends that. */
export function onCancel(runId: string, callback: () => void, hub: EventHub = eventHub()): () => void {
  return hub.onCancel(runId, callback);
}
