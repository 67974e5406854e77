import { Cron } from "croner";

/** Longest cron expression. */
export const CRON_MAX_CHARACTERS = 200;

const FIELD = /^(\*|[0-9A-Za-z]{1,3}(-[0-9A-Za-z]{1,3})?)(\/\d{1,2})?(,(\*|[0-9A-Za-z]{1,3}(-[0-9A-Za-z]{1,3})?)(\/\d{1,2})?)*$/;
const NAMES = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)$/i;

/** An expression that can be run, or the reason why not. */
export type ParsedCron = { ok: true; cron: Cron } | { ok: false; message: string };

/**
 * Reads a cron expression of five fields (minute, hour, day of month, month, day of week; names of months and days, lists,
 * ranges and steps). Seconds, nicknames and other dialects' letters are refused, so nothing fires more than once a minute.
 * With both days given, either one fires, as in cron. `timeZone` is one that `checkTimeZone` let through.
 */
export function parseCron(expression: string, timeZone: string): ParsedCron {
  if (expression.length > CRON_MAX_CHARACTERS) return refuse(`Has at most ${CRON_MAX_CHARACTERS} characters.`);
  const fields = expression.trim().split(/[ \t]+/);
  if (fields.length !== 5) return refuse("Must have five fields: minute, hour, day of month, month, day of week.");
  const wrong = fields.find((field) => !FIELD.test(field) || !hasKnownNames(field));
  if (wrong !== undefined) return refuse(`The field ${wrong} is not understood.`);
  try {
    return { ok: true, cron: new Cron(fields.join(" "), { timezone: timeZone, mode: "5-part", paused: true }) };
  } catch (error) {
    return refuse(error instanceof Error ? error.message.replace(/^CronPattern: /, "") : "Is not understood.");
  }
}

function hasKnownNames(field: string): boolean {
  return field.split(/[,/-]/).every((part) => /^[\d*]*$/.test(part) || NAMES.test(part));
}

function refuse(message: string): ParsedCron {
  return { ok: false, message };
}
