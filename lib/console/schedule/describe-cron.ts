const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTH_NAMES = MONTHS.map((name) => name.slice(0, 3).toLowerCase());
const DAY_NAMES = DAYS.map((name) => name.slice(0, 3).toLowerCase());

/** A field of an expression: every value, every so many of them, or some. Null where it is too odd for a sentence. */
type Field = { every: number } | { values: number[] };

/**
 * A cron expression of five fields in words, such as “every weekday at 09:00”; null for one that no short sentence says rightly. The expression is one
 * that `parseCron` took.
 */
export function describeCron(expression: string): string | null {
  const [minute, hour, day, month, weekday] = expression
    .trim()
    .toLowerCase()
    .split(/[ \t]+/);
  if (minute === undefined || hour === undefined || day === undefined || month === undefined || weekday === undefined) return null;
  const time = describeTime(readField(minute, 0, 59, []), readField(hour, 0, 23, []));
  const days = describeDays(readField(day, 1, 31, []), readField(weekday, 0, 7, DAY_NAMES));
  const months = describeMonths(readField(month, 1, 12, MONTH_NAMES));
  if (time === null || days === null || months === null) return null;
  const when = time.often ? [time.text, days.always ? "" : `on ${days.text}`] : [days.always ? "every day" : days.text, time.text];
  return [...when, months].filter(Boolean).join(" ");
}

function readField(text: string, least: number, most: number, names: string[]): Field | null {
  if (text === "*") return { every: 1 };
  const step = /^\*\/(\d+)$/.exec(text)?.[1];
  // Steps that do not divide the whole start over unevenly: “every 7 minutes” would be untrue.
  if (step !== undefined) return least === 0 && (most + 1) % Number(step) === 0 ? { every: Number(step) } : null;
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const [from, to = from] = part.split("-").map((name) => (names.includes(name) ? names.indexOf(name) + least : Number(name)));
    if (from === undefined || to === undefined || !Number.isInteger(from) || !Number.isInteger(to) || to < from) return null;
    for (let value = from; value <= to && values.size <= most; value += 1) values.add(value);
  }
  return { values: [...values].sort((left, right) => left - right) };
}

/** `often`: the times fill the day, so that they are said first. */
function describeTime(minute: Field | null, hour: Field | null): { text: string; often: boolean } | null {
  if (!minute || !hour) return null;
  if ("values" in minute && "values" in hour) {
    if (minute.values.length * hour.values.length > 6) return null;
    const times = hour.values.flatMap((h) => minute.values.map((m) => `${two(h)}:${two(m)}`));
    return { text: `at ${join(times)}`, often: false };
  }
  if ("values" in hour) return null;
  if ("every" in minute)
    return hour.every === 1 ? { text: minute.every === 1 ? "every minute" : `every ${minute.every} minutes`, often: true } : null;
  if (minute.values.length > 3) return null;
  const hours = hour.every === 1 ? "every hour" : `every ${hour.every} hours`;
  const only = minute.values.length === 1 && minute.values[0] === 0;
  return { text: only ? hours : `${hours} at ${join(minute.values.map((m) => `:${two(m)}`))}`, often: true };
}

/** With both days given either one fires, as cron does. */
function describeDays(day: Field | null, weekday: Field | null): { text: string; always: boolean } | null {
  if (!day || !weekday || ("every" in day && day.every !== 1) || ("every" in weekday && weekday.every !== 1)) return null;
  const ofMonth = "values" in day ? `the ${join(day.values.map(ordinal))} of the month` : null;
  const ofWeek = "values" in weekday ? describeWeekdays(weekday.values) : null;
  if (ofMonth && ofWeek) return { text: `${ofMonth} and ${ofWeek}`, always: false };
  if (ofMonth) return { text: ofMonth, always: false };
  return ofWeek ? { text: ofWeek, always: false } : { text: "", always: true };
}

function describeWeekdays(values: number[]): string {
  const days = [...new Set(values.map((value) => value % 7))].sort((left, right) => left - right);
  if (days.length === 7) return "every day";
  if (days.join() === "1,2,3,4,5") return "every weekday";
  if (days.join() === "0,6") return "every Saturday and Sunday";
  return `every ${join(days.map((value) => DAYS[value] ?? ""))}`;
}

function describeMonths(month: Field | null): string | null {
  if (!month) return null;
  if ("every" in month) return "";
  return month.values.length === 12 ? "" : `in ${join(month.values.map((value) => MONTHS[value - 1] ?? ""))}`;
}

function join(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

function ordinal(number: number): string {
  const teen = number > 10 && number < 14;
  const end = teen ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${end}`;
}
