import cronstrue from "cronstrue";

/** A list of values, or one range, whose step is told with its bounds. */
const VALUES = /^(?:[a-z0-9]+(?:,[a-z0-9]+)*|[a-z0-9]+-[a-z0-9]+|\d+-\d+\/\d+)$/;
const TIMES = /^\d+(?:,\d+)*$/;

/**
 * A cron expression of five fields in words, such as “At 09:00, Monday through Friday”; null for
 * one that the words would not say rightly. The expression is one that `parseCron` took.
 */
export function describeCron(expression: string): string | null {
  const text = expression.trim().toLowerCase();
  const [minute, hour, day, month, weekday, ...more] = text.split(/[ \t]+/);
  if (
    minute === undefined ||
    hour === undefined ||
    day === undefined ||
    month === undefined ||
    weekday === undefined ||
    more.length > 0
  )
    return null;
  // With both days given either one fires; the words say that both must fit.
  if (day !== "*" && weekday !== "*") return null;
  // “Every 20 minutes, at 09:00 and 14:00” would be said of the whole two hours.
  if (/[,/]/.test(hour) && !TIMES.test(minute)) return null;
  const isSaid =
    saysEvenly(minute, 60) &&
    saysEvenly(hour, 24) &&
    [day, month, weekday].every((field) => saysEvenly(field, 0));
  if (!isSaid) return null;
  const isDaily =
    [day, month, weekday].every((field) => field === "*") && TIMES.test(minute) && TIMES.test(hour);
  try {
    // `verbose` adds “every day”, but “every hour” too where nobody asks.
    return cronstrue.toString(text, { use24HourTimeFormat: true, verbose: isDaily });
  } catch {
    return null;
  }
}

/** Steps that do not divide the whole start over unevenly: “every 7 minutes” would be untrue. */
function saysEvenly(field: string, whole: number): boolean {
  const step = /^\*\/(\d+)$/.exec(field)?.[1];
  return step === undefined
    ? field === "*" || VALUES.test(field)
    : whole > 0 && whole % Number(step) === 0;
}

/** Times that people ask for; each is told by `describeCron`. */
export const CRON_PRESETS = [
  "0 9 * * mon-fri",
  "0 9 * * *",
  "0 9 * * mon",
  "0 9 1 * *",
  "0 * * * *",
  "*/15 * * * *",
] as const;

/** The zones that this browser knows, UTC first, and always `current`. */
export function timeZones(current: string): string[] {
  return [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), current])];
}
