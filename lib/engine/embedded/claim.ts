import "server-only";
import type { EngineEvent } from "@/lib/engine/functions";
import type { EngineStart } from "@/lib/platform/sql-functions";

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

/** Of a run that was taken up as it began. */
export function newClaim(
  { id, function_id }: Pick<EngineStart, "id" | "function_id">,
  owner: number,
  event: EngineEvent,
): Claim {
  const begun = { attempt: 1, wakes: 0, failures: 0, takeovers: 0 };
  return { runId: id, functionId: function_id, owner, ...begun, event };
}

/** What the `WHERE` of each of its writes holds: `$1` run, `$2` attempt, `$3` owner. */
export const FENCE = "id = $1 AND attempt = $2 AND owner = $3 AND status = 'active'";
