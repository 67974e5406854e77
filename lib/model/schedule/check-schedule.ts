import type { JsonIssue } from "@/lib/model/json-schema/json-issue";
import { checkTimeZone } from "./check-time-zone";
import { parseCron } from "./parse-cron";

/**
 * What is wrong with a schedule's `cron` and `timezone` (none: it can be stored). One that would never fire, such as
 * `0 0 30 2 *`, is refused too.
 */
export function checkSchedule(cron: string, timezone: string, now: Date): JsonIssue[] {
  const zoneMessage = checkTimeZone(timezone);
  const parsed = parseCron(cron, zoneMessage === null ? timezone : "UTC");
  const issues: JsonIssue[] = [];
  if (!parsed.ok) issues.push({ path: ["cron"], message: parsed.message });
  else if (parsed.cron.nextRun(now) === null) issues.push({ path: ["cron"], message: "Never fires." });
  if (zoneMessage !== null) issues.push({ path: ["timezone"], message: zoneMessage });
  return issues;
}
