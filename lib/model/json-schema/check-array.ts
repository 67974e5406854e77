import type { JsonPath } from "./json-path";
import type { JsonObject, JsonValue } from "./json-value";
import { sortedJson } from "./sorted-json";
import type { KeywordCheck, Validation } from "./validation";

/** `minItems, maxItems, uniqueItems, prefixItems, items` (draft 07's list too), `additionalItems, contains, minContains, maxContains`. */
export const checkArray: KeywordCheck<JsonValue[]> = (validation, schema, value, path) => {
  const { minItems, maxItems, uniqueItems } = schema;
  let fits = true;
  if (typeof minItems === "number" && value.length < minItems) fits = validation.fail(path, `Must have at least ${minItems} items.`);
  if (typeof maxItems === "number" && value.length > maxItems) fits = validation.fail(path, `Must have at most ${maxItems} items.`);
  if (uniqueItems === true && hasDuplicates(validation, value)) fits = validation.fail(path, "Must not hold the same item twice.");
  if (!checkItems(validation, schema, value, path)) fits = false;
  if (schema.contains !== undefined && !checkContains(validation, schema, value, path)) fits = false;
  return fits;
};

function checkItems(validation: Validation, schema: JsonObject, value: JsonValue[], path: JsonPath): boolean {
  const isOldList = Array.isArray(schema.items);
  const listed = isOldList ? schema.items : schema.prefixItems;
  const first = Array.isArray(listed) ? listed : [];
  const rest = isOldList ? schema.additionalItems : schema.items;
  if (first.length === 0 && rest === undefined) return true;
  let fits = true;
  validation.budget.spend(value.length);
  for (const [index, item] of value.entries()) {
    const itemSchema = index < first.length ? first[index] : rest;
    if (itemSchema !== undefined && !validation.apply(itemSchema, item, [...path, index])) fits = false;
  }
  return fits;
}

function checkContains(validation: Validation, schema: JsonObject, value: JsonValue[], path: JsonPath): boolean {
  const least = typeof schema.minContains === "number" ? schema.minContains : 1;
  const most = typeof schema.maxContains === "number" ? schema.maxContains : Number.POSITIVE_INFINITY;
  const found = value.filter((item) => validation.fits(schema.contains, item)).length;
  if (found < least) return validation.fail(path, `Must hold at least ${least} items of the wanted kind.`);
  return found <= most || validation.fail(path, `Must hold at most ${most} items of the wanted kind.`);
}

function hasDuplicates(validation: Validation, value: JsonValue[]): boolean {
  const seen = new Set<string>();
  for (const item of value) seen.add(sortedJson(item, validation.budget));
  return seen.size < value.length;
}
