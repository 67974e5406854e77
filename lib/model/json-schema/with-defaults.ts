import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";

/** Beyond it an object keeps what it has. */
const DEPTH_MAX = 20;

/**
 * A value with the `default` of each property that it leaves out, by the `properties` of its
 * schema, also within the objects that it holds. What it says stays; no object is made.
 */
export function withDefaults(schema: JsonObject, value: JsonObject, depth = 0): JsonObject {
  const { properties } = schema;
  if (!isJsonObject(properties) || depth > DEPTH_MAX) return value;
  const filled = new Map<string, JsonValue>(Object.entries(value));
  for (const [name, property] of Object.entries(properties)) {
    if (!isJsonObject(property)) continue;
    const given = filled.get(name);
    if (isJsonObject(given)) filled.set(name, withDefaults(property, given, depth + 1));
    else if (given === undefined && property.default !== undefined)
      filled.set(name, property.default);
  }
  return Object.fromEntries(filled);
}
