import "server-only";
import type { EngineEvent } from "@/lib/engine/functions";

/** Who drives a run: every write names it, so that a driver which was replaced changes nothing. */
export interface Claim {
  runId: string;
  functionId: string;
  owner: number;
  attempt: number;
  /** Signals so far; falling asleep fails when there are more by then. */
  wakes: number;
  failures: number;
  takeovers: number;
  event: EngineEvent;
}

/** What the `WHERE` of each of its writes holds: `$1` run, `$2` attempt, `$3` owner. */
export const FENCE = "id = $1 AND attempt = $2 AND owner = $3 AND status = 'active'";
