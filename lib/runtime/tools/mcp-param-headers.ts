import "server-only";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";

const KEYWORD = "x-mcp-header";
/** The token of RFC 9110 §5.6.2, of which a header's name is made. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: readonly JsonValue[] = ["string", "integer", "boolean"];
/** A schema that is nested more deeply than this is taken for one that cannot be used. */
const DEPTH_MAX = 64;
/** Where keys are names, or values are data, and not words of the schema. */
const NAMED: readonly string[] = ["properties", "patternProperties", "$defs", "definitions"];
const DATA: readonly string[] = ["const", "default", "enum", "examples"];

/**
 * Whether the arguments that a tool's schema wants repeated in headers can be: by the
 * specification a client leaves out a tool where they cannot. Each must be a string, an integer or
 * a boolean, be reached by `properties` alone, and have a header's name that no other has.
 */
export function hasUsableHeaders(inputSchema: JsonValue): boolean {
  const names = new Set<string>();
  return isUsable(inputSchema, names, 0, true);
}

function isUsable(
  schema: JsonValue,
  names: Set<string>,
  depth: number,
  isReached: boolean,
): boolean {
  if (depth > DEPTH_MAX) return false;
  if (Array.isArray(schema)) return schema.every((each) => isUsable(each, names, depth + 1, false));
  if (!isJsonObject(schema)) return true;
  if (KEYWORD in schema && !(isReached && depth > 0 && isDeclared(schema, names))) return false;
  return Object.entries(schema).every(([word, value]) => {
    if (DATA.includes(word)) return true;
    if (!NAMED.includes(word) || !isJsonObject(value))
      return isUsable(value, names, depth + 1, false);
    const isOnTheWay = isReached && word === "properties";
    return Object.values(value).every((each) => isUsable(each, names, depth + 1, isOnTheWay));
  });
}

function isDeclared(schema: { [key: string]: JsonValue }, names: Set<string>): boolean {
  const name = schema[KEYWORD];
  if (typeof name !== "string" || !TOKEN.test(name)) return false;
  if (!TYPES.includes(schema.type ?? null) || names.has(name.toLowerCase())) return false;
  names.add(name.toLowerCase());
  return true;
}
