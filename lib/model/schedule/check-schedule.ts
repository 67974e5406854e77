import type { JsonIssue } from "@/lib/model/json-schema/json-value";
import { checkTimeZone } from "./check-time-zone";
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

const MINUTES_OF_DAY = 24 * 60;

/**
 * The least minutes between two firings of a five-field expression that `parseCron` takes, on the clock and as if it fired every day: what other days
 * leave out only makes the distance longer.
 */
export function leastDistanceMinutes(expression: string): number {
  const [minutes = "*", hours = "*"] = expression.trim().split(/[ \t]+/);
  const times = valuesOf(hours, 23).flatMap((hour) => valuesOf(minutes, 59).map((minute) => hour * 60 + minute));
  const [first = 0] = times;
  return times.reduce((least, time, index) => Math.min(least, (times[index + 1] ?? first + MINUTES_OF_DAY) - time), MINUTES_OF_DAY);
}

/** The numbers of a field of lists, ranges and steps, ascending. */
function valuesOf(field: string, last: number): number[] {
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const [range = "*", step] = part.split("/");
    const [from = "0", to] = range === "*" ? ["0", String(last)] : range.split("-");
    const end = to ?? (step === undefined ? from : String(last));
    for (let value = Number(from); value <= Number(end); value += Number(step ?? 1)) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}
