import { isJsonObject, type JsonObject } from "./json-value";
import type { KeywordCheck } from "./validation";

/** `dependentRequired, dependentSchemas`, and draft 07's `dependencies`, which may be either. */
export const checkDependencies: KeywordCheck<JsonObject> = (validation, schema, value, path) => {
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
