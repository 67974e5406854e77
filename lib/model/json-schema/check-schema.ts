import { checkJsonValue } from "./check-json-value";
import { checkKeyword, checkPattern, isNameList } from "./check-keyword";
import type { JsonIssue } from "./json-issue";
import type { JsonPath } from "./json-path";
import { isJsonObject, type JsonObject, type JsonValue } from "./json-value";
import { resolveReference } from "./resolve-reference";
import { type Subschema, walkSchema } from "./walk-schema";

/** Longest schema, written as JSON without spaces. */
export const SCHEMA_MAX_CHARACTERS = 65_536;
/** Deepest nesting of objects and lists in a schema. */
export const SCHEMA_MAX_DEPTH = 32;

const SCHEMA_MAX_VALUES = 8_000;
/** Fewer than the compiled patterns that are kept, so that a validation never compiles one twice. */
const SCHEMA_MAX_PATTERNS = 50;
const ISSUES_MAX = 20;

/**
 * What is wrong with a JSON Schema that a user gives (at most 20 issues; none: it may be used). The subset of drafts 2020-12
 * and 07 is that of `validateAgainst`: no reference leaves the document or turns in a circle on one value, every pattern is
 * regular, and keywords that would not be carried out are refused by name.
 */
export function checkSchema(schema: unknown): JsonIssue[] {
  const problem = checkJsonValue(schema, { maxDepth: SCHEMA_MAX_DEPTH, maxValues: SCHEMA_MAX_VALUES });
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

  /** A reference is only as good as its target: one into data that was never read as a schema is refused, and so is a circle. */
  followReferences(): void {
    for (const { from, target, path } of this.#references) {
      if (typeof target === "boolean") continue;
      if (!this.#seen.has(target)) this.#report(path, "$ref must point at a schema of this document.");
      else this.#linkSameValue(from, target);
    }
    if (this.issues.length > 0) return;
    const circling = this.#circling();
    const circle = this.#references.find(({ from, target }) => circling.has(from) && circling.has(target));
    if (circle) this.#report(circle.path, "$ref leads back to itself without going deeper into the value.");
  }

  #visitSubschema(schema: JsonObject, { value, path, inPlace }: Subschema, above: JsonPath): void {
    if (inPlace) this.#linkSameValue(schema, value);
    this.visit(value, [...above, ...path]);
  }

  #visitPatterns(schema: JsonObject, path: JsonPath): void {
    const patterns = isJsonObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
    for (const pattern of patterns) this.#countPattern(pattern, [...path, "patternProperties"]);
    if (typeof schema.pattern === "string") this.#countPattern(schema.pattern, [...path, "pattern"]);
    for (const pattern of patterns) {
      const message = checkPattern(pattern);
      if (message !== null) this.#report([...path, "patternProperties", pattern], message);
    }
  }

  #visitDependencies(schema: JsonObject, path: JsonPath): void {
    const dependencies = isJsonObject(schema.dependencies) ? Object.entries(schema.dependencies) : [];
    for (const [key, value] of dependencies) {
      if (Array.isArray(value) && !isNameList(value)) this.#report([...path, "dependencies", key], "Must be a list of different names.");
    }
  }

  #countPattern(pattern: string, path: JsonPath): void {
    this.#patterns.add(pattern);
    if (this.#patterns.size === SCHEMA_MAX_PATTERNS + 1)
      this.#report(path, `A schema has at most ${SCHEMA_MAX_PATTERNS} different patterns.`);
  }

  #visitReference(schema: JsonObject, path: JsonPath): void {
    if (path.length > 0 && Object.hasOwn(schema, "$id")) this.#report([...path, "$id"], "$id is allowed at the top only.");
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

  /** The schemas that are left when every one that nothing leads to is taken away, again and again: circles, and what follows them. */
  #circling(): Set<JsonValue> {
    const incoming = new Map<JsonValue, number>();
    for (const schema of this.#sameValue.keys()) incoming.set(schema, 0);
    for (const targets of this.#sameValue.values()) for (const to of targets) incoming.set(to, (incoming.get(to) ?? 0) + 1);
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

function findTarget(root: JsonValue, reference: JsonValue | undefined): { target: JsonValue } | { problem: string } {
  if (typeof reference !== "string") return { problem: "$ref must be a string." };
  if (!reference.startsWith("#")) return { problem: "$ref may point only into the same document (#/…)." };
  const target = resolveReference(root, reference);
  return target === undefined ? { problem: "$ref points at nothing." } : { target };
}
