import "server-only";
import { z } from "zod";
import { type ErrorDetail, invalidInput, ServiceError } from "@/lib/model/errors";

const DETAILS_MAX = 20;

/**
 * Parses by a schema. `examples` are bodies as they may be sent, to be shown where something else
 * was.
 * @throws ServiceError INVALID_INPUT with one detail per broken place (20 at most), which says what
 * to send instead and repeats no value
 */
export function parseWith(
  schema: z.ZodType,
  value: unknown,
  { examples = [] }: { examples?: readonly unknown[] } = {},
): unknown {
  const explainer = { schema, examples };
  const result = schema.safeParse(value, { error: (issue) => explainIssue(issue, explainer) });
  if (result.success) return result.data;
  const details = result.error.issues
    .flatMap((issue) => toDetails(issue, value, explainer))
    .slice(0, DETAILS_MAX);
  const message = details
    .map((detail) =>
      detail.path ? `${detail.path}: ${detail.message}` : `The body ${detail.message}`,
    )
    .join("; ");
  throw new ServiceError("INVALID_INPUT", message, { details });
}

function toDetails(issue: z.core.$ZodIssue, value: unknown, explainer: Explainer): ErrorDetail[] {
  const path = issue.path.map((part) => shownName(String(part)));
  if (issue.code !== "unrecognized_keys")
    return [{ path: path.join("."), message: describeIssue(issue, value, explainer) }];
  return issue.keys.slice(0, DETAILS_MAX).map((key) => ({
    path: [...path, shownName(key)].join("."),
    message: explainUnknownName(key, issue.path, explainer),
  }));
}

/**
 * What a broken place of a request should hold instead, in a sentence, with an example where there
 * is one.
 */
interface Explainer {
  /** Bodies as they may be sent. */
  examples: readonly unknown[];
  schema: z.ZodType;
}

type Path = readonly PropertyKey[];

const EXAMPLE_MAX_CHARACTERS = 160;
const NAME_MAX_CHARACTERS = 80;
const LISTED_MAX = 30;

const NOUNS: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
  null: "null",
};
/** Objects whose names are the caller's own. */
const RECORD_NOUNS: Record<string, string> = {
  input: "an object of named inputs",
  inputs: "an object of named inputs",
  metadata: "an object of names and texts",
};
const FORMATS: Record<string, string> = {
  uuid: "must be an id: a UUID in lower case",
  url: "must be an address, such as https://example.com/path",
  email: "must be an e-mail address",
  datetime: "must be a time, such as 2026-01-31T09:30:00Z",
};
/** Names from the other family of routes, with the right field (specification §4.6). */
const MOVED = new Map([
  ["appId", "name the agent in agent_id"],
  ["inputs", "put the named inputs into input"],
  [
    "skills",
    "a run sees the account's enabled skills; switch them at /v1/skills, or write them into " +
      "the agent's own skill_content (agent_id)",
  ],
]);

/** Names that other services have for a field of ours. */
const ELSEWHERE = new Map<string, readonly string[]>(
  Object.entries({
    prompt: ["input", "inputs"],
    message: ["input", "inputs"],
    messages: ["input", "inputs"],
    query: ["input", "inputs"],
    variables: ["input", "inputs"],
    callbackurl: ["webhook_url", "webhookUrl"],
    threadid: ["conversation_id", "conversationId"],
    budget: ["max_credits", "maxCredits"],
    tags: ["metadata"],
  }),
);

/**
 * A sentence for an issue whose schema has none of its own. It never repeats the value, in which
 * there may be a secret.
 */
function explainIssue(issue: z.core.$ZodRawIssue, explainer: Explainer): string | undefined {
  const path = issue.path ?? [];
  switch (issue.code) {
    case "invalid_type":
      return explainType(issue.expected, path);
    case "invalid_value":
      return `must be ${oneOf(issue.values.map(String))}`;
    case "invalid_format":
      return (
        FORMATS[issue.format] ?? `does not have the right form${suchAs(exampleAt(path, explainer))}`
      );
    case "too_small":
      return explainLimit(
        issue.origin,
        "at least",
        Number(issue.minimum),
        issue.inclusive !== false,
      );
    case "too_big":
      return explainLimit(
        issue.origin,
        "at most",
        Number(issue.maximum),
        issue.inclusive !== false,
      );
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_union":
      return explainUnion(issue.errors);
    case "invalid_key":
      return "has a name that is not allowed";
    default:
      return undefined;
  }
}

/**
 * The sentence of an issue, whoever wrote it: with what is missing called missing, and with an
 * example of what was wanted.
 */
function describeIssue(issue: z.core.$ZodIssue, value: unknown, explainer: Explainer): string {
  if (issue.code !== "invalid_type" && issue.code !== "invalid_value") return issue.message;
  const isMissing = valueAt(value, issue.path) === undefined;
  const example =
    issue.code === "invalid_type" && !issue.message.includes("such as")
      ? suchAs(exampleAt(issue.path, explainer))
      : "";
  return (
    `${isMissing && issue.message.startsWith("must ") ? "is missing: it " : ""}${issue.message}` +
    `${example}`
  );
}

/** What to do about a property that the place does not take. */
function explainUnknownName(name: string, path: Path, { schema }: Explainer): string {
  const known = namesAt(schema, path);
  const moved = known.includes(name) ? undefined : MOVED.get(name);
  if (
    moved !== undefined &&
    !known.some((each) => plain(each) === plain(name) && each !== "agent_id")
  )
    return `is not a property of this request: ${moved}`;
  const meant =
    known.find((each) => plain(each) === plain(name)) ??
    known.find((each) => ELSEWHERE.get(plain(name))?.includes(each)) ??
    known.find((each) => isNear(plain(each), plain(name)));
  if (meant !== undefined) return `is not a property of this request: did you mean ${meant}?`;
  if (known.length === 0) return "is not a property of this request";
  return `is not a property of this request, which takes ${known.slice(0, LISTED_MAX).join(", ")}`;
}

/** A name as it is shown: one that a caller made up may be of any length. */
function shownName(name: string): string {
  return name.length <= NAME_MAX_CHARACTERS ? name : `${name.slice(0, NAME_MAX_CHARACTERS)}…`;
}

function explainType(expected: string, path: Path): string {
  const name = String(path.at(-1) ?? "");
  return (
    "must be " +
    ((expected === "record" ? RECORD_NOUNS[name] : undefined) ?? NOUNS[expected] ?? `a ${expected}`)
  );
}

function explainLimit(origin: string, bound: string, limit: number, isInclusive: boolean): string {
  const units: Record<string, string> = {
    string: "character",
    array: "item",
    set: "item",
    object: "property",
    map: "item",
    file: "byte",
  };
  const unit = units[origin];
  if (unit === undefined)
    return isInclusive
      ? `must be ${bound} ${limit}`
      : `must be ${bound === "at least" ? "more" : "less"} than ${limit}`;
  return (
    `must have ${bound} ${limit} ` +
    `${limit === 1 ? unit : unit === "property" ? "properties" : `${unit}s`}`
  );
}

/** Of a choice the sentences of all that might have been meant, each once. */
function explainUnion(branches: readonly (readonly z.core.$ZodIssue[])[]): string {
  const sentences = new Set(
    branches.flatMap((issues) =>
      issues
        .slice(0, 1)
        .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")} ${message}`)),
    ),
  );
  const [first = "has none of the forms that it may have", ...rest] = sentences;
  return [first, ...rest.map((sentence) => sentence.replace(/^must be /, ""))].join(", or ");
}

function oneOf(values: readonly string[]): string {
  const shown = values.slice(0, LISTED_MAX);
  return values.length === 1
    ? String(values[0])
    : `one of ${shown.join(", ")}${values.length > shown.length ? ", …" : ""}`;
}

function suchAs(example: unknown): string {
  if (example === undefined) return "";
  const text = JSON.stringify(example);
  return text.length <= EXAMPLE_MAX_CHARACTERS ? `, such as ${text}` : "";
}

/**
 * What stands at the path in the first example that has something there; of the whole the shortest.
 */
function exampleAt(path: Path, { examples, schema }: Explainer): unknown {
  const found = examples
    .map((example) => valueAt(example, path))
    .filter((value) => value !== undefined && value !== null);
  const shortest = found.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length);
  return (path.length === 0 ? shortest[0] : found[0]) ?? schemaAt(schema, path)?.meta()?.example;
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

function namesAt(schema: z.ZodType, path: Path): string[] {
  const place = schemaAt(schema, path);
  return place === undefined
    ? []
    : alternatives(place).flatMap((each) =>
        each instanceof z.ZodObject ? Object.keys(each.shape) : [],
      );
}

function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  const [part, ...rest] = path;
  if (part === undefined) return schema;
  for (const each of alternatives(schema)) {
    const next = childOf(each, part);
    if (next !== undefined) return schemaAt(next, rest);
  }
  return undefined;
}

function childOf(schema: z.ZodType, part: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject)
    return Object.hasOwn(schema.shape, part) ? schema.shape[String(part)] : undefined;
  if (schema instanceof z.ZodArray) return asClassic(schema.element);
  return schema instanceof z.ZodRecord ? asClassic(schema.valueType) : undefined;
}

/** What the schema may be, without what is wrapped around it. */
function alternatives(schema: z.ZodType): z.ZodType[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    return alternatives(asClassic(schema.unwrap()));
  if (schema instanceof z.ZodPipe) return alternatives(asClassic(schema.in));
  return schema instanceof z.ZodUnion
    ? schema.options.flatMap((option) => alternatives(asClassic(option)))
    : [schema];
}

/** All our schemas are made by the classic package, whose classes answer with the core's types. */
function asClassic(schema: z.core.$ZodType): z.ZodType {
  return schema as z.ZodType;
}

/** The same for agentId, agent_id, agent-id and AGENT_ID. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/**
 * One letter added, left out, changed or exchanged with its neighbour; or the beginning or the end
 * of the other.
 */
function isNear(known: string, given: string): boolean {
  if (given.length < 3 || known.length < 3) return false;
  if (
    known.startsWith(given) ||
    known.endsWith(given) ||
    given.startsWith(known) ||
    given.endsWith(known)
  )
    return true;
  let start = 0;
  while (start < given.length && given[start] === known[start]) start += 1;
  let tail = 0;
  while (
    tail < Math.min(given.length, known.length) - start &&
    given.at(-1 - tail) === known.at(-1 - tail)
  )
    tail += 1;
  const [ours, theirs] = [
    known.slice(start, known.length - tail),
    given.slice(start, given.length - tail),
  ];
  return ours.length <= 1 && theirs.length <= 1
    ? true
    : ours.length === 2 && theirs === `${ours[1]}${ours[0]}`;
}

/**
 * `a=1&metadata[k]=v` as `{a: "1", metadata: {k: "v"}}`; the last of repeated keys counts.
 * @throws ServiceError INVALID_INPUT for what no database can hold, and for a metadata key that an
 * object would swallow
 */
export function readQuery(parts: URLSearchParams): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  const metadata: [string, string][] = [];
  for (const [name, value] of parts) {
    for (const text of [name, value])
      if (text.includes("\u0000") || !text.isWellFormed())
        throw invalidInput(name, "must not contain NUL or lone surrogates");
    const inner = /^metadata\[(.*)\]$/s.exec(name)?.[1];
    if (inner === "__proto__") throw invalidInput(name, "must have another key than __proto__");
    if (inner === undefined) query[name] = value;
    else metadata.push([inner, value]);
  }
  // Beside a plain `metadata=…` the pairs do not count, so that the bad value is refused and not
  // passed over.
  if (metadata.length > 0 && query.metadata === undefined)
    query.metadata = Object.fromEntries(metadata);
  return query;
}
