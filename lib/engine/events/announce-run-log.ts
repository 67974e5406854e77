import "server-only";
import { type EventHub, eventHub } from "@/lib/engine/events/event-hub";

/** Shows followers in this process what a committed transaction stored in a log; those in others heard of it by the commit. */
export function announceRunLog(runId: string, hub: EventHub = eventHub()): void {
  hub.wake(runId);
}
