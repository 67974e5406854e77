import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";

/** A JSON Schema as `checkSchema` lets it through; `true` fits everything and `false` nothing. */
export type JsonSchema = JsonObject | boolean;

/** Keywords whose value is one schema. */
export const SCHEMA_KEYWORDS = [
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
] as const;

/** Keywords whose value is a list of schemas. */
export const SCHEMA_LIST_KEYWORDS = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;

/** Keywords whose value is a map of schemas. */
export const SCHEMA_MAP_KEYWORDS = [
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
  "properties",
] as const;

/**
 * Keywords that look at the very value that their schema looks at, and so could turn in a circle
 * through `$ref`.
 */
export const IN_PLACE_KEYWORDS: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependencies",
]);

/**
 * Keywords that would change what a schema says, and that are not carried out here: better refused
 * than passed over.
 */
export const UNSUPPORTED_KEYWORDS: readonly string[] = [
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "$recursiveAnchor",
  "$recursiveRef",
  "unevaluatedItems",
  "unevaluatedProperties",
];

/** Names of JSON types that `type` may give. */
export const JSON_TYPES: readonly string[] = [
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
];

/**
 * What a `$ref` inside `root` points at, or undefined when it is not there. Only references into
 * the same document are followed (`#` and `#/a/JSON/pointer`); nothing is ever loaded.
 */
export function resolveReference(root: JsonValue, reference: string): JsonValue | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let at: JsonValue | undefined = root;
  for (const part of reference.slice(2).split("/")) {
    const key = unescapePart(part);
    if (key === null) return undefined;
    if (Array.isArray(at)) at = /^(0|[1-9]\d{0,8})$/.test(key) ? at[Number(key)] : undefined;
    else at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

function unescapePart(part: string): string | null {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return null;
  }
}
