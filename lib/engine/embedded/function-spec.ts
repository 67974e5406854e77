import "server-only";
import type { TriggerCondition, WaitCondition } from "@/lib/engine/embedded/condition";

/** What the executor knows of one function, read from the configuration that the SDK reports. */
export interface FunctionSpec {
  /** With the client's id in front, as the call protocol names it. */
  id: string;
  /** Tries after the first one, of each step and of the function itself. */
  retries: number;
  events: { name: string; condition: TriggerCondition | null }[];
  /** Patterns of five fields. */
  crons: string[];
  cancels: { event: string; condition: WaitCondition }[];
  /** At most `limit` runs work at once: of all, or of those with the same value in `field` of the event's data. */
  limits: { limit: number; field: string | null }[];
}
