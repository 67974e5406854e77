import { matchesText } from "./check-string";
import type { JsonPath } from "./json-path";
import { isJsonObject, type JsonObject } from "./json-value";
import type { KeywordCheck, Validation } from "./validation";

const EACH_PROPERTY = ["properties", "patternProperties", "additionalProperties", "propertyNames"];

/** `required, minProperties, maxProperties, properties, patternProperties, additionalProperties, propertyNames`, and dependencies. */
export const checkObject: KeywordCheck<JsonObject> = (validation, schema, value, path) => {
  const { required, minProperties, maxProperties } = schema;
  const names = validation.namesOf(value);
  let fits = true;
  for (const name of Array.isArray(required) ? required : []) {
    validation.budget.spend(1);
    if (typeof name === "string" && !Object.hasOwn(value, name)) fits = validation.fail([...path, name], "Is required.");
  }
  if (typeof minProperties === "number" && names.length < minProperties)
    fits = validation.fail(path, `Must have at least ${minProperties} properties.`);
  if (typeof maxProperties === "number" && names.length > maxProperties)
    fits = validation.fail(path, `Must have at most ${maxProperties} properties.`);
  if (EACH_PROPERTY.every((keyword) => schema[keyword] === undefined)) return checkDependencies(validation, schema, value, path) && fits;
  for (const name of names) if (!checkProperty(validation, schema, value, name, path)) fits = false;
  if (!checkDependencies(validation, schema, value, path)) fits = false;
  return fits;
};

function checkProperty(validation: Validation, schema: JsonObject, value: JsonObject, name: string, path: JsonPath): boolean {
  const { properties, patternProperties, additionalProperties, propertyNames } = schema;
  const property = value[name];
  validation.budget.spend(1);
  if (property === undefined) return true;
  const here = [...path, name];
  let fits = true;
  let isNamed = false;
  if (propertyNames !== undefined && !validation.fits(propertyNames, name)) fits = validation.fail(here, "Has a name that is not allowed.");
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) {
    isNamed = true;
    if (!validation.apply(properties[name], property, here)) fits = false;
  }
  for (const [pattern, subschema] of isJsonObject(patternProperties) ? Object.entries(patternProperties) : []) {
    if (!matchesText(pattern, name, validation.budget)) continue;
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
