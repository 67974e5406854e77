import { numberFaults, stringFaults, typeFault } from "@/lib/model/json-schema/check-scalar";
import { type JsonSchema, resolveReference } from "@/lib/model/json-schema/json-schema";
import {
  ComplexityLimit,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  sameJson,
  sortedJson,
  toDottedPath,
  WorkSpent,
} from "@/lib/model/json-schema/json-value";
import { matchesPattern } from "@/lib/model/json-schema/match-pattern";
/** One way in which a value breaks a schema; `path` is dotted. */
export type SchemaViolation = { path: string; message: string };

const VIOLATIONS_MAX = 20;
const MESSAGE_MAX_CHARACTERS = 300;
const WORK_MAX_STEPS = 1_000_000;
/**
 * Applying a schema, and finding one that is referred to, take as long as so many elementary steps.
 */
const SCHEMA_STEPS = 6;
const REFERENCE_STEPS = 24;
/**
 * Schemas inside each other at one time, references counted: far more than a value and a schema of
 * allowed depth can need.
 */
const NESTING_MAX = 400;

/**
 * How `value` breaks `schema` (none: it fits), at most 20 violations, each path starting with
 * `prefix`. `schema` is one that `checkSchema` let through. The schema is interpreted: no code is
 * generated from it, and no schema and value together cost more than a fixed amount of work; what
 * would cost more does not fit, and says so. (Ajv writes code and bounds nothing; tests compare
 * with it.)
 */
export function validateAgainst(
  schema: JsonSchema,
  value: unknown,
  prefix = "",
): SchemaViolation[] {
  const violations: SchemaViolation[] = [];
  const note = (path: JsonPath, message: string) => {
    if (violations.length >= VIOLATIONS_MAX) throw new WorkSpent("Nobody reads more violations.");
    violations.push({ path: toDottedPath(path, prefix), message: cut(message) });
  };
  try {
    // Callers hand over parsed JSON; anything else among it fails every `type` and is looked into
    // no further.
    new SchemaRun(schema, note).apply(schema, value as JsonValue, []);
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
    if (violations.length < VIOLATIONS_MAX)
      note([], "Takes too much work to be checked against the schema.");
  }
  return violations;
}

function cut(message: string): string {
  return message.length <= MESSAGE_MAX_CHARACTERS
    ? message
    : `${message.slice(0, MESSAGE_MAX_CHARACTERS)}…`;
}

/** What the checks of the single keywords know about the validation that they are part of. */
type Validation = {
  budget: ComplexityLimit;
  /** The names of an object's properties, listed once however often a schema asks. */
  namesOf: (value: JsonObject) => readonly string[];
  /**
   * Notes a violation; those beyond the most that is wanted are dropped. Always false, so that it
   * can be returned.
   */
  fail: (path: JsonPath, message: string) => false;
  /** Checks a value against a subschema, and notes what is wrong. */
  apply: (schema: JsonValue | undefined, value: JsonValue, path: JsonPath) => boolean;
  /** Checks a value against a subschema without a note. */
  fits: (schema: JsonValue | undefined, value: JsonValue) => boolean;
};

/**
 * The check of one family of keywords: false when the value breaks one of them. Notes in `schema`
 * that are no keywords are ignored.
 */
type KeywordCheck<Value extends JsonValue> = (
  validation: Validation,
  schema: JsonObject,
  value: Value,
  path: JsonPath,
) => boolean;

class SchemaRun implements Validation {
  readonly budget = new ComplexityLimit(WORK_MAX_STEPS);
  readonly #root: JsonSchema;
  readonly #names = new WeakMap<JsonObject, readonly string[]>();
  readonly #note: (path: JsonPath, message: string) => void;
  #silent = 0;
  #nesting = 0;

  constructor(root: JsonSchema, note: (path: JsonPath, message: string) => void) {
    this.#root = root;
    this.#note = note;
  }

  fail(path: JsonPath, message: string): false {
    if (this.#silent === 0) this.#note(path, message);
    return false;
  }

  namesOf(value: JsonObject): readonly string[] {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const names = Object.keys(value);
    this.budget.spend(names.length);
    this.#names.set(value, names);
    return names;
  }

  fits(schema: JsonValue | undefined, value: JsonValue): boolean {
    this.#silent += 1;
    const fits = this.apply(schema, value, []);
    this.#silent -= 1;
    return fits;
  }

  apply(schema: JsonValue | undefined, value: JsonValue, path: JsonPath): boolean {
    this.budget.spend(SCHEMA_STEPS);
    if (schema === false) return this.fail(path, "Is not allowed.");
    if (!isJsonObject(schema)) return true;
    this.#nesting += 1;
    if (this.#nesting > NESTING_MAX) throw new WorkSpent("Too many schemas inside each other.");
    const fits = this.#applyKeywords(schema, value, path);
    this.#nesting -= 1;
    return fits;
  }

  #applyKeywords(schema: JsonObject, value: JsonValue, path: JsonPath): boolean {
    // A value of the wrong type would only collect further, useless complaints.
    if (schema.type !== undefined && !this.#checkType(schema.type, value, path)) return false;
    let fits = this.#checkValue(schema, value, path);
    if (typeof schema.$ref === "string" && !this.#applyReference(schema.$ref, value, path))
      fits = false;
    if (!checkCombination(this, schema, value, path)) fits = false;
    if (typeof value === "number") return this.#failAll(numberFaults(schema, value), path) && fits;
    if (typeof value === "string")
      return this.#failAll(stringFaults(schema, value, this.budget), path) && fits;
    if (Array.isArray(value)) return checkArray(this, schema, value, path) && fits;
    return isJsonObject(value) ? checkObject(this, schema, value, path) && fits : fits;
  }

  #failAll(messages: Iterable<string>, path: JsonPath): boolean {
    let fits = true;
    for (const message of messages) fits = this.fail(path, message);
    return fits;
  }

  #applyReference(reference: string, value: JsonValue, path: JsonPath): boolean {
    this.budget.spend(REFERENCE_STEPS);
    return this.apply(resolveReference(this.#root, reference), value, path);
  }

  #checkValue(schema: JsonObject, value: JsonValue, path: JsonPath): boolean {
    if (Object.hasOwn(schema, "const") && !sameJson(schema.const, value, this.budget)) {
      return this.fail(path, `Must be ${JSON.stringify(schema.const)}.`);
    }
    if (
      !Array.isArray(schema.enum) ||
      schema.enum.some((allowed) => sameJson(allowed, value, this.budget))
    )
      return true;
    return this.fail(
      path,
      `Must be one of ${schema.enum
        .slice(0, 20)
        .map((allowed) => JSON.stringify(allowed))
        .join(", ")}.`,
    );
  }

  #checkType(type: JsonValue, value: JsonValue, path: JsonPath): boolean {
    const fault = typeFault(type, value);
    return fault === null || this.fail(path, fault);
  }
}

/** `allOf, anyOf, oneOf, not, if/then/else`. */
const checkCombination: KeywordCheck<JsonValue> = (validation, schema, value, path) => {
  let fits = true;
  for (const part of Array.isArray(schema.allOf) ? schema.allOf : [])
    if (!validation.apply(part, value, path)) fits = false;
  if (Array.isArray(schema.anyOf) && !checkAnyOf(validation, schema.anyOf, value, path))
    fits = false;
  if (Array.isArray(schema.oneOf) && !checkOneOf(validation, schema.oneOf, value, path))
    fits = false;
  if (schema.not !== undefined && validation.fits(schema.not, value))
    fits = validation.fail(path, "Is of a kind that is excluded.");
  if (schema.if !== undefined && !checkCondition(validation, schema, value, path)) fits = false;
  return fits;
};

function checkAnyOf(
  validation: Validation,
  parts: JsonValue[],
  value: JsonValue,
  path: JsonPath,
): boolean {
  return (
    parts.some((part) => validation.fits(part, value)) ||
    validation.fail(path, "Fits none of the allowed alternatives.")
  );
}

function checkOneOf(
  validation: Validation,
  parts: JsonValue[],
  value: JsonValue,
  path: JsonPath,
): boolean {
  const fitting = parts.filter((part) => validation.fits(part, value)).length;
  if (fitting === 1) return true;
  return validation.fail(
    path,
    fitting === 0
      ? "Fits none of the allowed alternatives."
      : "Fits more than one of the allowed alternatives.",
  );
}

function checkCondition(
  validation: Validation,
  schema: JsonObject,
  value: JsonValue,
  path: JsonPath,
): boolean {
  const then = validation.fits(schema.if, value) ? schema.then : schema.else;
  return then === undefined || validation.apply(then, value, path);
}

/**
 * `minItems, maxItems, uniqueItems, prefixItems, items` (draft 07's list too), `additionalItems,
 * contains, minContains, maxContains`.
 */
const checkArray: KeywordCheck<JsonValue[]> = (validation, schema, value, path) => {
  const { minItems, maxItems, uniqueItems } = schema;
  let fits = true;
  if (typeof minItems === "number" && value.length < minItems)
    fits = validation.fail(path, `Must have at least ${minItems} items.`);
  if (typeof maxItems === "number" && value.length > maxItems)
    fits = validation.fail(path, `Must have at most ${maxItems} items.`);
  if (uniqueItems === true && hasDuplicates(validation, value))
    fits = validation.fail(path, "Must not hold the same item twice.");
  if (!checkItems(validation, schema, value, path)) fits = false;
  if (schema.contains !== undefined && !checkContains(validation, schema, value, path))
    fits = false;
  return fits;
};

function checkItems(
  validation: Validation,
  schema: JsonObject,
  value: JsonValue[],
  path: JsonPath,
): boolean {
  const isOldList = Array.isArray(schema.items);
  const listed = isOldList ? schema.items : schema.prefixItems;
  const first = Array.isArray(listed) ? listed : [];
  const rest = isOldList ? schema.additionalItems : schema.items;
  if (first.length === 0 && rest === undefined) return true;
  let fits = true;
  validation.budget.spend(value.length);
  for (const [index, item] of value.entries()) {
    const itemSchema = index < first.length ? first[index] : rest;
    if (itemSchema !== undefined && !validation.apply(itemSchema, item, [...path, index]))
      fits = false;
  }
  return fits;
}

function checkContains(
  validation: Validation,
  schema: JsonObject,
  value: JsonValue[],
  path: JsonPath,
): boolean {
  const least = typeof schema.minContains === "number" ? schema.minContains : 1;
  const most =
    typeof schema.maxContains === "number" ? schema.maxContains : Number.POSITIVE_INFINITY;
  const found = value.filter((item) => validation.fits(schema.contains, item)).length;
  if (found < least)
    return validation.fail(path, `Must hold at least ${least} items of the wanted kind.`);
  return (
    found <= most || validation.fail(path, `Must hold at most ${most} items of the wanted kind.`)
  );
}

function hasDuplicates(validation: Validation, value: JsonValue[]): boolean {
  const seen = new Set<string>();
  for (const item of value) seen.add(sortedJson(item, validation.budget));
  return seen.size < value.length;
}

const EACH_PROPERTY = ["properties", "patternProperties", "additionalProperties", "propertyNames"];

/**
 * `required, minProperties, maxProperties, properties, patternProperties, additionalProperties,
 * propertyNames`, and dependencies.
 */
const checkObject: KeywordCheck<JsonObject> = (validation, schema, value, path) => {
  const { required, minProperties, maxProperties } = schema;
  const names = validation.namesOf(value);
  let fits = true;
  for (const name of Array.isArray(required) ? required : []) {
    validation.budget.spend(1);
    if (typeof name === "string" && !Object.hasOwn(value, name))
      fits = validation.fail([...path, name], "Is required.");
  }
  if (typeof minProperties === "number" && names.length < minProperties)
    fits = validation.fail(path, `Must have at least ${minProperties} properties.`);
  if (typeof maxProperties === "number" && names.length > maxProperties)
    fits = validation.fail(path, `Must have at most ${maxProperties} properties.`);
  if (EACH_PROPERTY.every((keyword) => schema[keyword] === undefined))
    return checkDependencies(validation, schema, value, path) && fits;
  for (const name of names) if (!checkProperty(validation, schema, value, name, path)) fits = false;
  if (!checkDependencies(validation, schema, value, path)) fits = false;
  return fits;
};

function checkProperty(
  validation: Validation,
  schema: JsonObject,
  value: JsonObject,
  name: string,
  path: JsonPath,
): boolean {
  const { properties, patternProperties, additionalProperties, propertyNames } = schema;
  const property = value[name];
  validation.budget.spend(1);
  if (property === undefined) return true;
  const here = [...path, name];
  let fits = true;
  let isNamed = false;
  if (propertyNames !== undefined && !validation.fits(propertyNames, name))
    fits = validation.fail(here, "Has a name that is not allowed.");
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) {
    isNamed = true;
    if (!validation.apply(properties[name], property, here)) fits = false;
  }
  for (const [pattern, subschema] of isJsonObject(patternProperties)
    ? Object.entries(patternProperties)
    : []) {
    if (!matchesPattern(pattern, name, validation.budget)) continue;
    isNamed = true;
    if (!validation.apply(subschema, property, here)) fits = false;
  }
  if (isNamed || additionalProperties === undefined) return fits;
  if (additionalProperties === false) return validation.fail(here, "Is not a known property.");
  return validation.apply(additionalProperties, property, here) && fits;
}

/** `dependentRequired, dependentSchemas`, and draft 07's `dependencies`, which may be either. */
const checkDependencies: KeywordCheck<JsonObject> = (validation, schema, value, path) => {
  let fits = true;
  for (const keyword of ["dependentRequired", "dependentSchemas", "dependencies"]) {
    const map = schema[keyword];
    for (const [name, wanted] of isJsonObject(map) ? Object.entries(map) : []) {
      validation.budget.spend(1);
      if (!Object.hasOwn(value, name)) continue;
      if (!Array.isArray(wanted)) {
        if (!validation.apply(wanted, value, path)) fits = false;
        continue;
      }
      for (const other of wanted) {
        validation.budget.spend(1);
        if (typeof other !== "string" || Object.hasOwn(value, other)) continue;
        fits = validation.fail([...path, other], `Is required together with ${name}.`);
      }
    }
  }
  return fits;
};
