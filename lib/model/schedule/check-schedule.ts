import type { JsonIssue } from "@/lib/model/json-schema/json-issue";
import { checkTimeZone } from "./check-time-zone";
import { leastDistanceMinutes } from "./least-distance";
import { parseCron } from "./parse-cron";

/**
 * What is wrong with a schedule's `cron` and `timezone` (none: it can be stored). One that would never fire, such as
 * `0 0 30 2 *`, is refused too, and one whose firings are fewer than `leastMinutes` apart.
 */
export function checkSchedule(cron: string, timezone: string, now: Date, leastMinutes = 1): JsonIssue[] {
  const zoneMessage = checkTimeZone(timezone);
  const parsed = parseCron(cron, zoneMessage === null ? timezone : "UTC");
  const issues: JsonIssue[] = [];
  if (!parsed.ok) issues.push({ path: ["cron"], message: parsed.message });
  else if (parsed.cron.nextRun(now) === null) issues.push({ path: ["cron"], message: "Never fires." });
  else if (leastDistanceMinutes(cron) < leastMinutes)
    issues.push({
      path: ["cron"],
      message: `Fires ${leastDistanceMinutes(cron)} min apart; at least ${leastMinutes} min must lie between two firings.`,
    });
  if (zoneMessage !== null) issues.push({ path: ["timezone"], message: zoneMessage });
  return issues;
}
