import "server-only";

/** Who drives a run: every write names it, so that a driver which was replaced changes nothing. */
export interface Claim {
  runId: string;
  functionId: string;
  owner: number;
  attempt: number;
  /** News so far; falling asleep fails when there are more by then. */
  wakes: number;
  failures: number;
  takeovers: number;
  event: StoredEvent;
}

export interface StoredEvent {
  id: string;
  name: string;
  data: unknown;
  /** Milliseconds since 1970. */
  ts: number;
}

/** What the `WHERE` of each of its writes holds: `$1` run, `$2` attempt, `$3` owner. */
export const FENCE = "id = $1 and attempt = $2 and owner = $3 and status = 'active'";
