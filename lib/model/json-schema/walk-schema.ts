import type { JsonPath } from "./json-path";
import { IN_PLACE_KEYWORDS, SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS } from "./json-schema";
import { isJsonObject, type JsonObject, type JsonValue } from "./json-value";

/** A value that stands where a schema is wanted; `inPlace` when it looks at the same value as the schema around it. */
export type Subschema = { value: JsonValue; path: JsonPath; inPlace: boolean };

/** Every subschema that stands directly in `schema`, and what stands wrongly where lists and maps of them should be. */
export function walkSchema(schema: JsonObject): { subschemas: Subschema[]; misplaced: { path: JsonPath; message: string }[] } {
  const subschemas: Subschema[] = [];
  const misplaced: { path: JsonPath; message: string }[] = [];
  const add = (value: JsonValue, ...path: (string | number)[]) => {
    subschemas.push({ value, path, inPlace: IN_PLACE_KEYWORDS.has(String(path[0])) });
  };
  for (const keyword of SCHEMA_KEYWORDS) {
    const value = schema[keyword];
    if (!Object.hasOwn(schema, keyword) || value === undefined) continue;
    if (keyword === "items" && Array.isArray(value)) for (const [index, item] of value.entries()) add(item, keyword, index);
    else add(value, keyword);
  }
  for (const keyword of SCHEMA_LIST_KEYWORDS) {
    if (!Object.hasOwn(schema, keyword)) continue;
    const value = schema[keyword];
    if (!Array.isArray(value) || value.length === 0) misplaced.push({ path: [keyword], message: `${keyword} must be a list of schemas.` });
    else for (const [index, item] of value.entries()) add(item, keyword, index);
  }
  for (const keyword of [...SCHEMA_MAP_KEYWORDS, "dependencies"]) {
    if (!Object.hasOwn(schema, keyword)) continue;
    const value = schema[keyword];
    if (!isJsonObject(value)) misplaced.push({ path: [keyword], message: `${keyword} must map names to schemas.` });
    else for (const [key, item] of Object.entries(value)) if (keyword !== "dependencies" || !Array.isArray(item)) add(item, keyword, key);
  }
  return { subschemas, misplaced };
}
