import { Cron } from "croner";
import type { JsonIssue } from "@/lib/model/json-schema/json-value";

/** Longest cron expression. */
export const CRON_MAX_CHARACTERS = 200;

const FIELD =
  /^(\*|[0-9A-Za-z]{1,3}(-[0-9A-Za-z]{1,3})?)(\/\d{1,2})?(,(\*|[0-9A-Za-z]{1,3}(-[0-9A-Za-z]{1,3})?)(\/\d{1,2})?)*$/;
const NAMES = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)$/i;

/** An expression that can be run, or the reason why not. */
type ParsedCron = { ok: true; cron: Cron } | { ok: false; message: string };

/**
 * Reads a cron expression of five fields (minute, hour, day of month, month, day of week; names of
 * months and days, lists, ranges and steps). Seconds, nicknames and other dialects' letters are
 * refused, so nothing fires more than once a minute.
 * With both days given, either one fires, as in cron. `timeZone` is one that `checkTimeZone` let
 * through.
 */
export function parseCron(expression: string, timeZone: string): ParsedCron {
  if (expression.length > CRON_MAX_CHARACTERS)
    return refuse(`Has at most ${CRON_MAX_CHARACTERS} characters.`);
  const fields = expression.trim().split(/[ \t]+/);
  if (fields.length !== 5)
    return refuse("Must have five fields: minute, hour, day of month, month, day of week.");
  const wrong = fields.find((field) => !FIELD.test(field) || !hasKnownNames(field));
  if (wrong !== undefined) return refuse(`The field ${wrong} is not understood.`);
  try {
    return {
      ok: true,
      cron: new Cron(fields.join(" "), { timezone: timeZone, mode: "5-part", paused: true }),
    };
  } catch (error) {
    return refuse(
      error instanceof Error ? error.message.replace(/^CronPattern: /, "") : "Is not understood.",
    );
  }
}

function hasKnownNames(field: string): boolean {
  return field.split(/[,/-]/).every((part) => /^[\d*]*$/.test(part) || NAMES.test(part));
}

function refuse(message: string): ParsedCron {
  return { ok: false, message };
}

const ZONE = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;
export const ZONE_MAX_CHARACTERS = 64;

/**
 * What is wrong with the name of a time zone, or null: it must be one of the IANA database
 * (`Europe/Berlin`, `UTC`), not an offset.
 */
function checkTimeZone(timeZone: string): string | null {
  const message = "Must be the name of an IANA time zone, such as Europe/Berlin or UTC.";
  if (timeZone.length > ZONE_MAX_CHARACTERS || !ZONE.test(timeZone)) return message;
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return null;
  } catch {
    return message;
  }
}

/** Most firings that are worked out at once. */
const NEXT_FIRINGS_MAX = 1_000;

/**
 * The next firings strictly after `after`, oldest first; fewer than `count` (at most 1,000) when
 * there are no more. Times are read on the clock of `timeZone`. A fixed time of day that the clock
 * skips when it is put forward fires at the moment of the change, and one that it passes twice when
 * it is put back fires the first time only. Lists, ranges and steps follow the clock:
 * what it skips does not fire, and what it passes twice fires twice, so that `0 * * * *` fires
 * every hour.
 * Throws `RangeError` for what `checkSchedule` refuses.
 */
export function nextFirings(cron: string, timeZone: string, after: Date, count: number): Date[] {
  if (checkTimeZone(timeZone) !== null) throw new RangeError("The time zone is not known.");
  const parsed = parseCron(cron, timeZone);
  if (!parsed.ok) throw new RangeError(parsed.message);
  return parsed.cron.nextRuns(Math.min(count, NEXT_FIRINGS_MAX), after);
}

/**
 * What is wrong with a schedule's `cron` and `timezone` (none: it can be stored). One that would
 * never fire, such as
 * `0 0 30 2 *`, is refused too, and one whose firings are fewer than `leastMinutes` apart.
 */
export function checkSchedule(
  cron: string,
  timezone: string,
  now: Date,
  leastMinutes = 1,
): JsonIssue[] {
  const zoneMessage = checkTimeZone(timezone);
  const parsed = parseCron(cron, zoneMessage === null ? timezone : "UTC");
  const issues: JsonIssue[] = [];
  if (!parsed.ok) issues.push({ path: ["cron"], message: parsed.message });
  else if (parsed.cron.nextRun(now) === null)
    issues.push({ path: ["cron"], message: "Never fires." });
  else if (leastDistanceMinutes(cron) < leastMinutes)
    issues.push({
      path: ["cron"],
      message:
        `Fires ${leastDistanceMinutes(cron)} min apart; at least ${leastMinutes} min must lie ` +
        "between two firings.",
    });
  if (zoneMessage !== null) issues.push({ path: ["timezone"], message: zoneMessage });
  return issues;
}

const MINUTES_OF_DAY = 24 * 60;

/**
 * The least minutes between two firings of a five-field expression that `parseCron` takes, on the
 * clock and as if it fired every day: what other days leave out only makes the distance longer.
 */
export function leastDistanceMinutes(expression: string): number {
  const [minutes = "*", hours = "*"] = expression.trim().split(/[ \t]+/);
  const times = valuesOf(hours, 23).flatMap((hour) =>
    valuesOf(minutes, 59).map((minute) => hour * 60 + minute),
  );
  const [first = 0] = times;
  return times.reduce(
    (least, time, index) => Math.min(least, (times[index + 1] ?? first + MINUTES_OF_DAY) - time),
    MINUTES_OF_DAY,
  );
}

/** The numbers of a field of lists, ranges and steps, ascending. */
function valuesOf(field: string, last: number): number[] {
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const [range = "*", step] = part.split("/");
    const [from = "0", to] = range === "*" ? ["0", String(last)] : range.split("-");
    const end = to ?? (step === undefined ? from : String(last));
    for (let value = Number(from); value <= Number(end); value += Number(step ?? 1))
      values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}
