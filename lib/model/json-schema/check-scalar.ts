import type { ComplexityLimit, JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { matchesPattern } from "@/lib/model/json-schema/match-pattern";

/** What is wrong with a string: `minLength, maxLength` (in code points), `pattern`, `format`. */
export function* stringFaults(
  { minLength, maxLength, pattern, format }: JsonObject,
  value: string,
  budget: ComplexityLimit,
): Generator<string> {
  budget.spend(typeof format === "string" ? 20 : 1);
  if (typeof minLength === "number" && lengthOf(value, budget) < minLength)
    yield tooShort(minLength);
  if (typeof maxLength === "number" && lengthOf(value, budget) > maxLength)
    yield `Must be at most ${maxLength} characters long.`;
  if (typeof pattern === "string" && !matchesPattern(pattern, value, budget))
    yield `Must match the pattern ${pattern}`;
  if (typeof format === "string" && !fitsFormat(format, value))
    yield `Must be written as ${format}.`;
}

function tooShort(minLength: number): string {
  return minLength === 1 ? "Must not be empty." : `Must be at least ${minLength} characters long.`;
}

function lengthOf(text: string, budget: ComplexityLimit): number {
  budget.spend(1 + Math.floor(text.length / 16));
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMAIL_LOCAL = /^[^\s@"(),:;<>[\\\]]{1,64}$/;
const HOST_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const IPV4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.|$)){4}$/;
const SCHEME = /^[a-z][a-z0-9+.-]{0,31}:[^\s]/i;
const FORMAT_MAX_CHARACTERS = 4_096;

const FORMATS: Record<string, (text: string) => boolean> = {
  date: isDate,
  "date-time": (text) =>
    /^.{10}[t ]/i.test(text) && isDate(text.slice(0, 10)) && TIME.test(text.slice(11)),
  time: (text) => TIME.test(text),
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => IPV4.test(text) && !text.endsWith("."),
  uri: isUri,
  uuid: (text) => UUID.test(text),
};

/**
 * Whether `text` is written in `format`: `date, date-time, time, email, hostname, ipv4, uri, uuid`.
 * Any other format is a note and fits. Each test takes time linear in the text's length.
 */
function fitsFormat(format: string, text: string): boolean {
  const test = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return test === undefined || (text.length <= FORMAT_MAX_CHARACTERS && test(text));
}

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day && month > 0;
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  return (
    EMAIL_LOCAL.test(local) &&
    !local.startsWith(".") &&
    !local.endsWith(".") &&
    !local.includes("..") &&
    isHostname(text.slice(at + 1))
  );
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => HOST_LABEL.test(label));
}

function isUri(text: string): boolean {
  return SCHEME.test(text) && URL.canParse(text);
}

const ROUNDING = 1e-9;

/**
 * What is wrong with a number: `minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf`.
 */
export function* numberFaults(schema: JsonObject, value: number): Generator<string> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === "number" && value < minimum) yield `Must be at least ${minimum}.`;
  if (typeof maximum === "number" && value > maximum) yield `Must be at most ${maximum}.`;
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    yield `Must be more than ${exclusiveMinimum}.`;
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    yield `Must be less than ${exclusiveMaximum}.`;
  if (typeof multipleOf === "number" && !isMultiple(value, multipleOf))
    yield `Must be a multiple of ${multipleOf}.`;
}

/** Binary fractions miss decimal ones by a hair: 0.3 counts as a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  if (!Number.isFinite(times)) return value % of === 0;
  return (
    Math.abs(times - Math.round(times)) <= ROUNDING * Math.max(1, Math.min(Math.abs(times), 1e3))
  );
}

/** What is wrong with a value's type; null where it is one of `type`. */
export function typeFault(type: JsonValue, value: JsonValue): string | null {
  const wanted = Array.isArray(type) ? type : [type];
  const given = typeOf(value);
  const fits = wanted.some(
    (name) => name === given || (name === "integer" && Number.isInteger(value)),
  );
  return fits ? null : `Must be ${wanted.map(withArticle).join(" or ")}.`;
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function withArticle(name: JsonValue): string {
  const text = String(name);
  if (text === "null") return text;
  return /^[aeio]/.test(text) ? `an ${text}` : `a ${text}`;
}
