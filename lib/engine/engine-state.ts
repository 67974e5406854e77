import "server-only";
import { once } from "@/lib/platform/once";

/** What this process knows of its engine. */
export function engineState(): {
  isAlive: () => boolean;
  /** Its number among `engine_processes`, while it is one of them. */
  processId: number | null;
  /** How many other processes drive runs, as of the last beat; 1 while that is not known. */
  others: number;
} {
  return once("engine.state", () => ({ isAlive: () => false, processId: null, others: 1 }));
}
