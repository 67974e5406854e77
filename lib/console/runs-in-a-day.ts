import type { Run } from "@/lib/client/schemas";
import type { ReadAnswer } from "@/lib/console/reads";

const DAY_MILLISECONDS = 86_400_000;

/**
 * How many runs there were in the last 24 hours, the time that the credits beside it are counted
 * for. Usage knows a run from its first model call on; one that waits for a place, or failed before
 * its model was asked, is in the list of the newest alone. So it is never less than what is listed.
 */
export function runsInADay(
  usage: Pick<ReadAnswer<"/v1/account/usage">, "by_agent">,
  newest: readonly Pick<Run, "created_at">[],
  now: Date,
): number {
  const counted = usage.by_agent.reduce((sum, { runs }) => sum + runs, 0);
  const since = now.getTime() - DAY_MILLISECONDS;
  const listed = newest.filter((run) => Date.parse(run.created_at) > since).length;
  return Math.max(counted, listed);
}
