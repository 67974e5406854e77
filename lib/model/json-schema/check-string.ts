import { compilePattern, type PatternProgram } from "./compile-pattern";
import { wordCharacter } from "./pattern-characters";
import { PatternError } from "./pattern-syntax";
import type { KeywordCheck } from "./validation";
import type { WorkBudget } from "./work-budget";

/** `minLength, maxLength` (in code points), `pattern`, `format`. */
export const checkString: KeywordCheck<string> = (validation, schema, value, path) => {
  const { minLength, maxLength, pattern, format } = schema;
  let fits = true;
  validation.budget.spend(typeof format === "string" ? 20 : 1);
  if (typeof minLength === "number" && lengthOf(value, validation.budget) < minLength) fits = validation.fail(path, tooShort(minLength));
  if (typeof maxLength === "number" && lengthOf(value, validation.budget) > maxLength) {
    fits = validation.fail(path, `Must be at most ${maxLength} characters long.`);
  }
  if (typeof pattern === "string" && !matchesText(pattern, value, validation.budget)) {
    fits = validation.fail(path, `Must match the pattern ${pattern}`);
  }
  if (typeof format === "string" && !fitsFormat(format, value)) fits = validation.fail(path, `Must be written as ${format}.`);
  return fits;
};

/** Whether a pattern is found in `text`. One that cannot be used, which `checkSchema` refuses, is found nowhere. */
export function matchesText(pattern: string, text: string, budget: WorkBudget): boolean {
  try {
    return matchesPattern(compilePattern(pattern), text, budget);
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

function tooShort(minLength: number): string {
  return minLength === 1 ? "Must not be empty." : `Must be at least ${minLength} characters long.`;
}

function lengthOf(text: string, budget: WorkBudget): number {
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
  "date-time": (text) => /^.{10}[t ]/i.test(text) && isDate(text.slice(0, 10)) && TIME.test(text.slice(11)),
  time: (text) => TIME.test(text),
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => IPV4.test(text) && !text.endsWith("."),
  uri: isUri,
  uuid: (text) => UUID.test(text),
};

/**
 * Whether `text` is written in `format`: `date, date-time, time, email, hostname, ipv4, uri, uuid`. Any other format is a note
 * and fits. Each test takes time linear in the text's length.
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
    EMAIL_LOCAL.test(local) && !local.startsWith(".") && !local.endsWith(".") && !local.includes("..") && isHostname(text.slice(at + 1))
  );
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => HOST_LABEL.test(label));
}

function isUri(text: string): boolean {
  return SCHEME.test(text) && URL.canParse(text);
}

/** Whether the pattern is found anywhere in `text`. Every character costs as many steps of `budget` as there are ways still open. */
export function matchesPattern(program: PatternProgram, text: string, budget: WorkBudget): boolean {
  budget.spend(Math.ceil(program.length / 8));
  const run = new PatternRun(program, text, budget);
  let at = 0;
  for (const character of text) {
    if (run.start(at)) return true;
    run.step(character.codePointAt(0) ?? 0);
    at += character.length;
  }
  return run.start(at);
}

class PatternRun {
  readonly #program: PatternProgram;
  readonly #text: string;
  readonly #budget: WorkBudget;
  /** For each step of the program, the last position at which it was entered: no step is entered twice at one position. */
  readonly #entered: Int32Array;
  #resume: number[] = [];
  #waiting: number[] = [];

  constructor(program: PatternProgram, text: string, budget: WorkBudget) {
    this.#program = program;
    this.#text = text;
    this.#budget = budget;
    this.#entered = new Int32Array(program.length).fill(-1);
  }

  /** Follows every open way, and a new one from the start, up to a step that wants a character. True when one reached the end. */
  start(at: number): boolean {
    const open = this.#resume;
    open.push(0);
    this.#waiting = [];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (this.#entered[index] === at) continue;
      this.#entered[index] = at;
      this.#budget.spend(1);
      const step = this.#program[index];
      if (step === undefined || step.op === "match") return true;
      if (step.op === "character") this.#waiting.push(index);
      else if (step.op === "jump") open.push(step.to);
      else if (step.op === "split") open.push(step.to, step.or);
      else if (this.#holds(step.at, at)) open.push(index + 1);
    }
    return false;
  }

  /** Moves every way that waits for a character over this one, or ends it. */
  step(codePoint: number): void {
    this.#budget.spend(this.#waiting.length);
    for (const index of this.#waiting) {
      const step = this.#program[index];
      if (step?.op === "character" && step.test(codePoint)) this.#resume.push(index + 1);
    }
  }

  #holds(place: "start" | "end" | "boundary" | "inside", at: number): boolean {
    if (place === "start") return at === 0;
    if (place === "end") return at === this.#text.length;
    const isBoundary = this.#isWord(at - 1) !== this.#isWord(at);
    return (place === "boundary") === isBoundary;
  }

  #isWord(at: number): boolean {
    return at >= 0 && at < this.#text.length && wordCharacter(this.#text.charCodeAt(at));
  }
}
