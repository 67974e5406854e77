/** A value that JSON can carry. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/** Whether `value` is an object with keys, as against an array, null or a plain value. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The way to a value inside a JSON value: keys of objects and indexes of arrays. */
export type JsonPath = readonly (string | number)[];

/**
 * One thing that is wrong in a JSON value, and where; `atKey` when it is the key itself that is
 * wrong, not what it holds.
 */
export type JsonIssue = { path: JsonPath; message: string; atKey?: boolean };

const SEGMENT_MAX_CHARACTERS = 128;

/**
 * The dotted form that error details carry (`tools.http.0.url`); `prefix` stands in front of it.
 * Long keys are cut.
 */
export function toDottedPath(path: JsonPath, prefix = ""): string {
  const segments = path.map((segment) => cut(String(segment)));
  return prefix === "" ? segments.join(".") : [prefix, ...segments].join(".");
}

function cut(segment: string): string {
  return segment.length <= SEGMENT_MAX_CHARACTERS
    ? segment
    : `${segment.slice(0, SEGMENT_MAX_CHARACTERS)}…`;
}

/**
 * `maxDepth` counts containers inside each other (a plain value has depth 0); `maxValues` counts
 * every value, containers too.
 */
type JsonBounds = { maxDepth: number; maxValues: number };

type Visit = { value: unknown; key: string | number | null; parent: Visit | null; depth: number };

const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/**
 * Finds the first reason why `value` is not JSON that the database can hold within `bounds`, or
 * null: too deep, too many values, a number that JSON cannot write, a NUL character or half of a
 * surrogate pair, a `__proto__` key.
 * Works without recursion, so that no value can exhaust the stack.
 */
export function checkJsonValue(value: unknown, bounds: JsonBounds): JsonIssue | null {
  const open: Visit[] = [{ value, key: null, parent: null, depth: 0 }];
  let seen = 0;
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    seen += 1;
    if (seen > bounds.maxValues)
      return { path: [], message: `More than ${bounds.maxValues} values.` };
    const message = checkOne(visit, bounds);
    if (message !== null) return { path: pathOf(visit), message };
    // What is open already will be counted: a list of a million is told by its length.
    if (!pushChildren(visit, open, bounds.maxValues - seen - open.length))
      return { path: [], message: `More than ${bounds.maxValues} values.` };
  }
  return null;
}

function checkOne({ value, key, depth }: Visit, bounds: JsonBounds): string | null {
  if (typeof key === "string") {
    if (key === "__proto__") return "The key __proto__ is not allowed.";
    const problem = checkText(key);
    if (problem !== null) return `A key ${problem}`;
  }
  if (value === null || typeof value === "boolean") return null;
  if (typeof value === "number") return Number.isFinite(value) ? null : "Must be a finite number.";
  if (typeof value === "string") {
    const problem = checkText(value);
    return problem === null ? null : `The text ${problem}`;
  }
  if (typeof value !== "object") return "Must be a JSON value.";
  return depth >= bounds.maxDepth ? `Nested deeper than ${bounds.maxDepth} levels.` : null;
}

function checkText(text: string): string | null {
  if (text.includes("\0")) return "must not contain NUL characters.";
  return LONE_SURROGATE.test(text) ? "must not contain half of a surrogate pair." : null;
}

/** @returns whether there is room for all of them */
function pushChildren(visit: Visit, open: Visit[], room: number): boolean {
  const { value, depth } = visit;
  if (typeof value !== "object" || value === null) return true;
  const keys = Array.isArray(value) ? null : Object.keys(value);
  if ((keys ?? (value as unknown[])).length > room) return false;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? Array.from(value, (item, index) => [index, item])
    : Object.entries(value);
  for (const [key, child] of entries)
    open.push({ value: child, key, parent: visit, depth: depth + 1 });
  return true;
}

function pathOf(visit: Visit): JsonPath {
  const path: (string | number)[] = [];
  for (let at: Visit | null = visit; at !== null; at = at.parent)
    if (at.key !== null) path.unshift(at.key);
  return path;
}

/**
 * Whether two JSON values are equal; the order of keys does not count. Each value looked at costs
 * one step.
 */
export function sameJson(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  budget: ComplexityLimit,
): boolean {
  budget.spend(1);
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => sameJson(item, right[index], budget))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key], budget));
}

/** Making a value's text takes as long as so many steps of other checks. */
const VALUE_STEPS = 10;

/** JSON text with sorted keys: equal values have equal texts. Long texts cost more. */
export function sortedJson(value: JsonValue | undefined, budget: ComplexityLimit): string {
  budget.spend(VALUE_STEPS + (typeof value === "string" ? Math.floor(value.length / 16) : 0));
  if (Array.isArray(value)) return `[${value.map((item) => sortedJson(item, budget)).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? "null";
  const pairs = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sortedJson(value[key], budget)}`);
  return `{${pairs.join(",")}}`;
}

/** Thrown when a check has cost as much as it may. */
export class WorkSpent extends Error {
  override name = "WorkSpent";
}

/**
 * A count of elementary steps that hostile input cannot exceed; a million take some ten
 * milliseconds.
 */
export class ComplexityLimit {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Takes `steps` off; throws `WorkSpent` when they are not there. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new WorkSpent("The check was given up.");
  }
}
