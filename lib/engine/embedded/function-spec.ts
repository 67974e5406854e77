import "server-only";
import type { Condition } from "@/lib/engine/embedded/condition";

/** What the executor knows of one function, read from the configuration that the SDK reports. */
export interface FunctionSpec {
  /** With the client's id in front, as the call protocol names it. */
  id: string;
  /** Tries after the first one, of each step and of the function itself. */
  retries: number;
  events: { name: string; condition: Condition | null }[];
  crons: { pattern: string; timezone: string | undefined; text: string }[];
  cancels: { event: string; condition: Condition | null; timeoutMs: number | null }[];
  /** At most `limit` runs work at once: of all, or of those with the same value at `path` of the event. */
  limits: { limit: number; path: string[] | null }[];
}
