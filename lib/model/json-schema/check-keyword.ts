import { compilePattern } from "./compile-pattern";
import { JSON_TYPES, UNSUPPORTED_KEYWORDS } from "./json-schema";
import { isJsonObject, type JsonValue } from "./json-value";
import { PatternError } from "./pattern-syntax";

const COUNTS = new Set(["maxContains", "maxItems", "maxLength", "maxProperties", "minContains", "minItems", "minLength", "minProperties"]);
const NUMBERS = new Set(["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"]);
const TEXTS = new Set(["$comment", "$id", "$schema", "description", "format", "title"]);

/** What is wrong with the value of a keyword that holds no schema, or null. Keywords that nobody knows are notes, as JSON Schema has it. */
export function checkKeyword(keyword: string, value: JsonValue): string | null {
  if (UNSUPPORTED_KEYWORDS.includes(keyword)) return `${keyword} is not supported.`;
  if (COUNTS.has(keyword)) return Number.isInteger(value) && Number(value) >= 0 ? null : `${keyword} must be a whole number from 0.`;
  if (NUMBERS.has(keyword)) return typeof value === "number" ? null : `${keyword} must be a number.`;
  if (TEXTS.has(keyword)) return typeof value === "string" ? null : `${keyword} must be a string.`;
  if (keyword === "multipleOf") return typeof value === "number" && value > 0 ? null : "multipleOf must be a number above 0.";
  if (keyword === "uniqueItems") return typeof value === "boolean" ? null : "uniqueItems must be true or false.";
  if (keyword === "type") return checkType(value);
  if (keyword === "enum") return Array.isArray(value) ? null : "enum must be a list.";
  if (keyword === "required") return isNameList(value) ? null : "required must be a list of different names.";
  if (keyword === "pattern") return typeof value === "string" ? checkPattern(value) : "pattern must be a string.";
  if (keyword === "dependentRequired") return checkDependentRequired(value);
  return null;
}

/** Why a pattern cannot be used, or null. */
export function checkPattern(pattern: string): string | null {
  try {
    compilePattern(pattern);
    return null;
  } catch (error) {
    if (error instanceof PatternError) return `The pattern cannot be used: ${error.message}`;
    throw error;
  }
}

/** Whether `value` is a list of different strings. */
export function isNameList(value: JsonValue | undefined): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string") && new Set(value).size === value.length;
}

function checkType(value: JsonValue): string | null {
  const names = Array.isArray(value) ? value : [value];
  const isKnown = names.length > 0 && names.every((name) => typeof name === "string" && JSON_TYPES.includes(name));
  return isKnown && new Set(names).size === names.length ? null : `type must be one of ${JSON_TYPES.join(", ")}, or a list of them.`;
}

function checkDependentRequired(value: JsonValue): string | null {
  const isFine = isJsonObject(value) && Object.values(value).every(isNameList);
  return isFine ? null : "dependentRequired must map names to lists of names.";
}
