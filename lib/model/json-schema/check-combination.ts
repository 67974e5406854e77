import type { JsonPath } from "./json-path";
import type { JsonObject, JsonValue } from "./json-value";
import type { KeywordCheck, Validation } from "./validation";

/** `allOf, anyOf, oneOf, not, if/then/else`. */
export const checkCombination: KeywordCheck<JsonValue> = (validation, schema, value, path) => {
  let fits = true;
  for (const part of Array.isArray(schema.allOf) ? schema.allOf : []) if (!validation.apply(part, value, path)) fits = false;
  if (Array.isArray(schema.anyOf) && !checkAnyOf(validation, schema.anyOf, value, path)) fits = false;
  if (Array.isArray(schema.oneOf) && !checkOneOf(validation, schema.oneOf, value, path)) fits = false;
  if (schema.not !== undefined && validation.fits(schema.not, value)) fits = validation.fail(path, "Is of a kind that is excluded.");
  if (schema.if !== undefined && !checkCondition(validation, schema, value, path)) fits = false;
  return fits;
};

function checkAnyOf(validation: Validation, parts: JsonValue[], value: JsonValue, path: JsonPath): boolean {
  return parts.some((part) => validation.fits(part, value)) || validation.fail(path, "Fits none of the allowed alternatives.");
}

function checkOneOf(validation: Validation, parts: JsonValue[], value: JsonValue, path: JsonPath): boolean {
  const fitting = parts.filter((part) => validation.fits(part, value)).length;
  if (fitting === 1) return true;
  return validation.fail(
    path,
    fitting === 0 ? "Fits none of the allowed alternatives." : "Fits more than one of the allowed alternatives.",
  );
}

function checkCondition(validation: Validation, schema: JsonObject, value: JsonValue, path: JsonPath): boolean {
  const then = validation.fits(schema.if, value) ? schema.then : schema.else;
  return then === undefined || validation.apply(then, value, path);
}
