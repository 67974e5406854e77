import { checkTimeZone } from "./check-time-zone";
import { parseCron } from "./parse-cron";

/** Most firings that are worked out at once. */
export const NEXT_FIRINGS_MAX = 1_000;

/**
 * The next firings strictly after `after`, oldest first; fewer than `count` (at most 1,000) when there are no more. Times are
 * read on the clock of `timeZone`. A fixed time of day that the clock skips when it is put forward fires at the moment of the
 * change, and one that it passes twice when it is put back fires the first time only. Lists, ranges and steps follow the clock:
 * what it skips does not fire, and what it passes twice fires twice, so that `0 * * * *` fires every hour.
 * Throws `RangeError` for what `checkSchedule` refuses.
 */
export function nextFirings(cron: string, timeZone: string, after: Date, count: number): Date[] {
  if (checkTimeZone(timeZone) !== null) throw new RangeError("The time zone is not known.");
  const parsed = parseCron(cron, timeZone);
  if (!parsed.ok) throw new RangeError(parsed.message);
  return parsed.cron.nextRuns(Math.min(count, NEXT_FIRINGS_MAX), after);
}
