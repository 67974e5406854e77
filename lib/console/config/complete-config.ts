import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";

export interface ConfigSuggestion {
  label: string;
  /** What it means, in a sentence. */
  info: string;
  kind: "key" | "value";
}

export interface ConfigSuggestions {
  /** How many characters before the cursor the suggestion replaces. */
  length: number;
  options: ConfigSuggestion[];
}

/**
 * A key or list item on a line of block YAML: how far in it stands, and whether a dash opens an
 * item there.
 */
interface Place {
  column: number;
  dash: number | null;
  key: string | null;
  bare: boolean;
}

const ITEM = "[]";

/**
 * Keys and values that may stand at the end of the last line of `lines`, by the config's JSON
 * Schema. It reads block YAML by its indentation, which is enough to suggest; what stands in braces
 * gets no suggestions.
 */
export function completeConfig(
  lines: readonly string[],
  schema: JsonObject,
  models: readonly string[],
): ConfigSuggestions | null {
  const last = lines.at(-1) ?? "";
  const before = lines.slice(0, -1);
  const value = /^(\s*(?:- +)?)([\w.-]+): +([\w./-]*)$/.exec(last);
  if (value) {
    const [, lead = "", key = "", typed = ""] = value;
    const path = [...pathTo(before, lead), key];
    return suggest(typed, valuesOf(schemaAt(schema, path), path, models));
  }
  const start = /^(\s*(?:- +)?)([\w./-]*)$/.exec(last);
  if (!start) return null;
  const [, lead = "", typed = ""] = start;
  const path = pathTo(before, lead);
  const node = schemaAt(schema, path);
  return suggest(typed, [
    ...keysOf(node),
    ...(lead.includes("-") ? valuesOf(node, path, models) : []),
  ]);
}

function suggest(typed: string, options: ConfigSuggestion[]): ConfigSuggestions | null {
  return options.length > 0 ? { length: typed.length, options } : null;
}

/** The way from the top to what stands after `lead`, by the lines above it. */
function pathTo(lines: readonly string[], lead: string): string[] {
  const path: string[] = [];
  let column = lead.length;
  let inList = false;
  const opened = /^(\s*)- /.exec(lead);
  if (opened) {
    path.unshift(ITEM);
    column = opened[1]?.length ?? 0;
    inList = true;
  }
  for (const line of lines.toReversed()) {
    const place = placeOf(line);
    if (!place) continue;
    // A list may stand as far in as the key that holds it.
    const holds =
      place.column < column || (inList && place.column === column && place.dash === null);
    if (holds && place.key !== null && place.bare) {
      path.unshift(place.key);
      column = place.column;
      inList = false;
    }
    if (place.dash !== null && place.dash < column && !inList) {
      path.unshift(ITEM);
      column = place.dash;
      inList = true;
    }
  }
  return path;
}

function placeOf(line: string): Place | null {
  if (/^\s*(#|$)/.test(line)) return null;
  const text = line.trimStart();
  const indent = line.length - text.length;
  const dash = /^- +/.exec(text)?.[0] ?? "";
  const item = text.slice(dash.length);
  const colon = item.indexOf(":");
  const key = colon > 0 && /^[\w.-]+$/.test(item.slice(0, colon)) ? item.slice(0, colon) : null;
  const rest = item.slice(key === null ? 0 : colon + 1).trimStart();
  return {
    column: indent + dash.length,
    dash: dash ? indent : null,
    key,
    bare: rest === "" || rest.startsWith("#"),
  };
}

function schemaAt(schema: JsonObject, path: readonly string[]): JsonObject | null {
  let node: JsonObject | null = schema;
  for (const segment of path) {
    const next: JsonValue | undefined =
      segment === ITEM ? node.items : propertiesOf(node)?.[segment];
    if (!isJsonObject(next)) return null;
    node = next;
  }
  return node;
}

/** Of a schema or, where null may stand too, of the other one. */
function propertiesOf(node: JsonObject): JsonObject | null {
  const nodes = [node, ...(Array.isArray(node.anyOf) ? node.anyOf : [])].filter(isJsonObject);
  for (const { properties } of nodes) if (isJsonObject(properties)) return properties;
  return null;
}

function keysOf(node: JsonObject | null): ConfigSuggestion[] {
  const properties = node && propertiesOf(node);
  if (!properties) return [];
  return Object.entries(properties).map(([key, property]) => ({
    label: key,
    info: infoOf(property),
    kind: "key",
  }));
}

function infoOf(property: JsonValue | undefined): string {
  return isJsonObject(property) && typeof property.description === "string"
    ? property.description
    : "";
}

function valuesOf(
  node: JsonObject | null,
  path: readonly string[],
  models: readonly string[],
): ConfigSuggestion[] {
  const [top, item] = path;
  if (path.length === 1 && top === "model") return models.map(toValue);
  if (path.length === 2 && top === "fallback_models" && item === ITEM) return models.map(toValue);
  if (!node) return [];
  if (node.const !== undefined) return [toValue(String(node.const))];
  return Array.isArray(node.enum) ? node.enum.map((value) => toValue(String(value))) : [];
}

function toValue(label: string): ConfigSuggestion {
  return { label, info: "", kind: "value" };
}
