import "server-only";

/** The comparisons that the embedded executor can make: `event.data.a == async.data.b && async.data.c == "x"`. */
export type Condition = Equality[];

/** One comparison after the run's own event was filled in: the value that the awaited event must have at `path`. */
export type BoundEquality = { path: string[]; value: Scalar } | { never: true };

type Scalar = string | number | boolean | null;
type Operand = { root: "event" | "async"; path: string[] } | { value: Scalar };
interface Equality {
  left: Operand;
  right: Operand;
}

const MAX_KEYS = 64;
const MAX_DEPTH = 6;
const TOKEN = /\s*(==|&&|(?:event|async)(?:\.[A-Za-z_]\w*)+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?|true|false|null)/y;

/** Throws one sentence that quotes what it cannot evaluate. */
export function parseCondition(text: string): Condition {
  const tokens = tokenize(text);
  const condition: Condition = [];
  for (let at = 0; at < tokens.length; at += 4) {
    const [left, operator, right, joint] = tokens.slice(at, at + 4);
    const last = at + 3 === tokens.length;
    if (left === undefined || right === undefined || operator !== "==" || (last ? joint !== undefined : joint !== "&&"))
      throw unsupported(text);
    condition.push({ left: toOperand(left, text), right: toOperand(right, text) });
  }
  if (condition.length === 0 || tokens.at(-1) === "&&") throw unsupported(text);
  return condition;
}

/** Whether `condition`, which speaks of `event` alone, holds for it. */
export function holdsFor(condition: Condition, event: object): boolean {
  return bindCondition(condition, event).every((bound) => matchesBound(bound, event));
}

/** Fills the run's own event in; what remains speaks of the event to come. A value that is missing there never matches. */
export function bindCondition(condition: Condition, event: object): BoundEquality[] {
  return condition.flatMap(({ left, right }): BoundEquality[] => {
    const a = "root" in left && left.root === "async" ? left.path : undefined;
    const b = "root" in right && right.root === "async" ? right.path : undefined;
    if (a && b) return [{ never: true }];
    const known = a ? right : left;
    const value = "value" in known ? known.value : valueAt(event, known.path);
    if (a ?? b) return isScalar(value) ? [{ path: a ?? b ?? [], value }] : [{ never: true }];
    const other = "value" in right ? right.value : valueAt(event, right.path);
    return isScalar(value) && value === other ? [] : [{ never: true }];
  });
}

export function matchesBound(bound: BoundEquality, event: object): boolean {
  return "path" in bound && valueAt(event, bound.path) === bound.value;
}

/** The text under which a scalar is indexed; long ones are cut, as the whole comparison follows. */
export function matchKey(value: unknown): string {
  return JSON.stringify(value).slice(0, 200);
}

/** The index keys of all scalars in an event's data; null when there are too many to index, and every wait for that event must be looked at. */
export function matchKeysOf(data: unknown): string[] | null {
  const keys = new Set<string>();
  const visit = (value: unknown, depth: number): boolean => {
    if (isScalar(value)) return keys.add(matchKey(value)).size <= MAX_KEYS;
    // A condition's path leads through objects alone.
    if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
    return depth < MAX_DEPTH && Object.values(value).every((inner) => visit(inner, depth + 1));
  };
  return visit(data, 0) ? [...keys] : null;
}

function valueAt(root: object, path: string[]): unknown {
  let value: unknown = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key]; // an object with this own key
  }
  return value;
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const token = TOKEN.exec(text)?.[1];
    if (token === undefined) throw unsupported(text);
    tokens.push(token);
  }
  return tokens;
}

function toOperand(token: string, text: string): Operand {
  const [root, ...path] = token.split(".");
  if ((root === "event" || root === "async") && path.length > 0) return { root, path };
  if (token.startsWith("'")) return { value: token.slice(1, -1).replace(/\\(.)/g, "$1") };
  try {
    const value: unknown = JSON.parse(token);
    if (isScalar(value)) return { value };
  } catch {
    // Falls through to the one error.
  }
  throw unsupported(text);
}

function unsupported(text: string): Error {
  return new Error(`the condition "${text}" is not a chain of "event.data.a == async.data.b" or of comparisons with plain values`);
}
