import type { JsonIssue } from "./json-issue";
import type { JsonPath } from "./json-path";

/** `maxDepth` counts containers inside each other (a plain value has depth 0); `maxValues` counts every value, containers too. */
export type JsonBounds = { maxDepth: number; maxValues: number };

type Visit = { value: unknown; key: string | number | null; parent: Visit | null; depth: number };

const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/**
 * Finds the first reason why `value` is not JSON that the database can hold within `bounds`, or null: too deep, too many
 * values, a number that JSON cannot write, a NUL character or half of a surrogate pair, a `__proto__` key.
 * Works without recursion, so that no value can exhaust the stack.
 */
export function checkJsonValue(value: unknown, bounds: JsonBounds): JsonIssue | null {
  const open: Visit[] = [{ value, key: null, parent: null, depth: 0 }];
  let seen = 0;
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    seen += 1;
    if (seen > bounds.maxValues) return { path: [], message: `More than ${bounds.maxValues} values.` };
    const message = checkOne(visit, bounds);
    if (message !== null) return { path: pathOf(visit), message };
    pushChildren(visit, open);
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

function pushChildren(visit: Visit, open: Visit[]): void {
  const { value, depth } = visit;
  if (typeof value !== "object" || value === null) return;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? Array.from(value, (item, index) => [index, item])
    : Object.entries(value);
  for (const [key, child] of entries) open.push({ value: child, key, parent: visit, depth: depth + 1 });
}

function pathOf(visit: Visit): JsonPath {
  const path: (string | number)[] = [];
  for (let at: Visit | null = visit; at !== null; at = at.parent) if (at.key !== null) path.unshift(at.key);
  return path;
}
