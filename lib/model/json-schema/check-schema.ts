import {
  IN_PLACE_KEYWORDS,
  JSON_TYPES,
  resolveReference,
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  SCHEMA_MAP_KEYWORDS,
  UNSUPPORTED_KEYWORDS,
} from "@/lib/model/json-schema/json-schema";
import {
  checkJsonValue,
  isJsonObject,
  type JsonIssue,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from "@/lib/model/json-schema/json-value";
import { PatternError, parsePattern } from "@/lib/model/json-schema/pattern";

/** Longest schema, written as JSON without spaces. */
export const SCHEMA_MAX_CHARACTERS = 65_536;
/** Deepest nesting of objects and lists in a schema. */
export const SCHEMA_MAX_DEPTH = 32;

const SCHEMA_MAX_VALUES = 8_000;
/**
 * Fewer than the compiled patterns that are kept, so that a validation never compiles one twice.
 */
const SCHEMA_MAX_PATTERNS = 50;
const ISSUES_MAX = 20;

/**
 * What is wrong with a JSON Schema that a user gives (at most 20 issues; none: it may be used). The
 * subset of drafts 2020-12 and 07 is that of `validateAgainst`: no reference leaves the document or
 * turns in a circle on one value, every pattern is regular, and keywords that would not be carried
 * out are refused by name.
 */
export function checkSchema(schema: unknown): JsonIssue[] {
  const problem = checkJsonValue(schema, {
    maxDepth: SCHEMA_MAX_DEPTH,
    maxValues: SCHEMA_MAX_VALUES,
  });
  if (problem !== null) return [problem];
  // checkJsonValue has just shown that it is JSON.
  const root = schema as JsonValue;
  if (JSON.stringify(root).length > SCHEMA_MAX_CHARACTERS) {
    return [{ path: [], message: `A schema has at most ${SCHEMA_MAX_CHARACTERS} characters.` }];
  }
  const check = new SchemaCheck(root);
  check.visit(root, []);
  check.followReferences();
  return check.issues.slice(0, ISSUES_MAX);
}

type Reference = { from: JsonObject; target: JsonValue; path: JsonPath };

class SchemaCheck {
  readonly issues: JsonIssue[] = [];
  readonly #root: JsonValue;
  /** Every object that was checked as a schema. */
  readonly #seen = new Set<JsonValue>();
  readonly #patterns = new Set<string>();
  readonly #references: Reference[] = [];
  readonly #sameValue = new Map<JsonValue, JsonValue[]>();

  constructor(root: JsonValue) {
    this.#root = root;
  }

  visit(schema: JsonValue, path: JsonPath): void {
    if (typeof schema === "boolean") return;
    if (isJsonObject(schema)) this.#visitObject(schema, path);
    else this.#report(path, "A schema must be an object, true or false.");
  }

  #visitObject(schema: JsonObject, path: JsonPath): void {
    this.#seen.add(schema);
    for (const [keyword, value] of Object.entries(schema)) {
      const message = checkKeyword(keyword, value);
      if (message !== null) this.#report([...path, keyword], message);
    }
    this.#visitPatterns(schema, path);
    this.#visitDependencies(schema, path);
    this.#visitReference(schema, path);
    const { subschemas, misplaced } = walkSchema(schema);
    for (const issue of misplaced) this.#report([...path, ...issue.path], issue.message);
    for (const subschema of subschemas) this.#visitSubschema(schema, subschema, path);
  }

  /**
   * A reference is only as good as its target: one into data that was never read as a schema is
   * refused, and so is a circle.
   */
  followReferences(): void {
    for (const { from, target, path } of this.#references) {
      if (typeof target === "boolean") continue;
      if (!this.#seen.has(target))
        this.#report(path, "$ref must point at a schema of this document.");
      else this.#linkSameValue(from, target);
    }
    if (this.issues.length > 0) return;
    const circling = this.#circling();
    const circle = this.#references.find(
      ({ from, target }) => circling.has(from) && circling.has(target),
    );
    if (circle)
      this.#report(circle.path, "$ref leads back to itself without going deeper into the value.");
  }

  #visitSubschema(schema: JsonObject, { value, path, inPlace }: Subschema, above: JsonPath): void {
    if (inPlace) this.#linkSameValue(schema, value);
    this.visit(value, [...above, ...path]);
  }

  #visitPatterns(schema: JsonObject, path: JsonPath): void {
    const patterns = isJsonObject(schema.patternProperties)
      ? Object.keys(schema.patternProperties)
      : [];
    for (const pattern of patterns) this.#countPattern(pattern, [...path, "patternProperties"]);
    if (typeof schema.pattern === "string")
      this.#countPattern(schema.pattern, [...path, "pattern"]);
    for (const pattern of patterns) {
      const message = checkPattern(pattern);
      if (message !== null) this.#report([...path, "patternProperties", pattern], message);
    }
  }

  #visitDependencies(schema: JsonObject, path: JsonPath): void {
    const dependencies = isJsonObject(schema.dependencies)
      ? Object.entries(schema.dependencies)
      : [];
    for (const [key, value] of dependencies) {
      if (Array.isArray(value) && !isNameList(value))
        this.#report([...path, "dependencies", key], "Must be a list of different names.");
    }
  }

  #countPattern(pattern: string, path: JsonPath): void {
    this.#patterns.add(pattern);
    if (this.#patterns.size === SCHEMA_MAX_PATTERNS + 1)
      this.#report(path, `A schema has at most ${SCHEMA_MAX_PATTERNS} different patterns.`);
  }

  #visitReference(schema: JsonObject, path: JsonPath): void {
    if (path.length > 0 && Object.hasOwn(schema, "$id"))
      this.#report([...path, "$id"], "$id is allowed at the top only.");
    if (!Object.hasOwn(schema, "$ref")) return;
    const found = findTarget(this.#root, schema.$ref);
    if ("problem" in found) this.#report([...path, "$ref"], found.problem);
    else this.#references.push({ from: schema, target: found.target, path: [...path, "$ref"] });
  }

  #linkSameValue(from: JsonValue, to: JsonValue): void {
    const links = this.#sameValue.get(from);
    if (links === undefined) this.#sameValue.set(from, [to]);
    else links.push(to);
  }

  /**
   * The schemas that are left when every one that nothing leads to is taken away, again and again:
   * circles, and what follows them.
   */
  #circling(): Set<JsonValue> {
    const incoming = new Map<JsonValue, number>();
    for (const schema of this.#sameValue.keys()) incoming.set(schema, 0);
    for (const targets of this.#sameValue.values())
      for (const to of targets) incoming.set(to, (incoming.get(to) ?? 0) + 1);
    const free = [...incoming.keys()].filter((schema) => incoming.get(schema) === 0);
    for (let at = free.pop(); at !== undefined; at = free.pop()) {
      incoming.delete(at);
      for (const to of this.#sameValue.get(at) ?? []) {
        const left = (incoming.get(to) ?? 0) - 1;
        incoming.set(to, left);
        if (left === 0) free.push(to);
      }
    }
    return new Set(incoming.keys());
  }

  #report(path: JsonPath, message: string): void {
    if (this.issues.length < ISSUES_MAX) this.issues.push({ path, message });
  }
}

function findTarget(
  root: JsonValue,
  reference: JsonValue | undefined,
): { target: JsonValue } | { problem: string } {
  if (typeof reference !== "string") return { problem: "$ref must be a string." };
  if (!reference.startsWith("#"))
    return { problem: "$ref may point only into the same document (#/…)." };
  const target = resolveReference(root, reference);
  return target === undefined ? { problem: "$ref points at nothing." } : { target };
}

/**
 * A value that stands where a schema is wanted; `inPlace` when it looks at the same value as the
 * schema around it.
 */
type Subschema = { value: JsonValue; path: JsonPath; inPlace: boolean };

/**
 * Every subschema that stands directly in `schema`, and what stands wrongly where lists and maps of
 * them should be.
 */
function walkSchema(schema: JsonObject): {
  subschemas: Subschema[];
  misplaced: { path: JsonPath; message: string }[];
} {
  const subschemas: Subschema[] = [];
  const misplaced: { path: JsonPath; message: string }[] = [];
  const add = (value: JsonValue, ...path: (string | number)[]) => {
    subschemas.push({ value, path, inPlace: IN_PLACE_KEYWORDS.has(String(path[0])) });
  };
  for (const keyword of SCHEMA_KEYWORDS) {
    const value = schema[keyword];
    if (!Object.hasOwn(schema, keyword) || value === undefined) continue;
    if (keyword === "items" && Array.isArray(value))
      for (const [index, item] of value.entries()) add(item, keyword, index);
    else add(value, keyword);
  }
  for (const keyword of SCHEMA_LIST_KEYWORDS) {
    if (!Object.hasOwn(schema, keyword)) continue;
    const value = schema[keyword];
    if (!Array.isArray(value) || value.length === 0)
      misplaced.push({ path: [keyword], message: `${keyword} must be a list of schemas.` });
    else for (const [index, item] of value.entries()) add(item, keyword, index);
  }
  for (const keyword of [...SCHEMA_MAP_KEYWORDS, "dependencies"]) {
    if (!Object.hasOwn(schema, keyword)) continue;
    const value = schema[keyword];
    if (!isJsonObject(value))
      misplaced.push({ path: [keyword], message: `${keyword} must map names to schemas.` });
    else
      for (const [key, item] of Object.entries(value))
        if (keyword !== "dependencies" || !Array.isArray(item)) add(item, keyword, key);
  }
  return { subschemas, misplaced };
}

const COUNTS = new Set([
  "maxContains",
  "maxItems",
  "maxLength",
  "maxProperties",
  "minContains",
  "minItems",
  "minLength",
  "minProperties",
]);
const NUMBERS = new Set(["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"]);
const TEXTS = new Set(["$comment", "$id", "$schema", "description", "format", "title"]);

/**
 * What is wrong with the value of a keyword that holds no schema, or null. Keywords that nobody
 * knows are notes, as JSON Schema has it.
 */
function checkKeyword(keyword: string, value: JsonValue): string | null {
  if (UNSUPPORTED_KEYWORDS.includes(keyword)) return `${keyword} is not supported.`;
  if (COUNTS.has(keyword))
    return Number.isInteger(value) && Number(value) >= 0
      ? null
      : `${keyword} must be a whole number from 0.`;
  if (NUMBERS.has(keyword))
    return typeof value === "number" ? null : `${keyword} must be a number.`;
  if (TEXTS.has(keyword)) return typeof value === "string" ? null : `${keyword} must be a string.`;
  if (keyword === "multipleOf")
    return typeof value === "number" && value > 0 ? null : "multipleOf must be a number above 0.";
  if (keyword === "uniqueItems")
    return typeof value === "boolean" ? null : "uniqueItems must be true or false.";
  if (keyword === "type") return checkType(value);
  if (keyword === "enum") return Array.isArray(value) ? null : "enum must be a list.";
  if (keyword === "required")
    return isNameList(value) ? null : "required must be a list of different names.";
  if (keyword === "pattern")
    return typeof value === "string" ? checkPattern(value) : "pattern must be a string.";
  if (keyword === "dependentRequired") return checkDependentRequired(value);
  return null;
}

/** Why a pattern cannot be used, or null. */
function checkPattern(pattern: string): string | null {
  try {
    parsePattern(pattern);
    return null;
  } catch (error) {
    if (error instanceof PatternError) return `The pattern cannot be used: ${error.message}`;
    throw error;
  }
}

/** Whether `value` is a list of different strings. */
function isNameList(value: JsonValue | undefined): value is string[] {
  return (
    Array.isArray(value) &&
    value.every((name) => typeof name === "string") &&
    new Set(value).size === value.length
  );
}

function checkType(value: JsonValue): string | null {
  const names = Array.isArray(value) ? value : [value];
  const isKnown =
    names.length > 0 &&
    names.every((name) => typeof name === "string" && JSON_TYPES.includes(name));
  return isKnown && new Set(names).size === names.length
    ? null
    : `type must be one of ${JSON_TYPES.join(", ")}, or a list of them.`;
}

function checkDependentRequired(value: JsonValue): string | null {
  const isFine = isJsonObject(value) && Object.values(value).every(isNameList);
  return isFine ? null : "dependentRequired must map names to lists of names.";
}
