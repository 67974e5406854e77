import { connectorUrlPlaces } from "@/lib/model/agent-config/connector-url";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";

/** `rest` holds the arguments that no place of the path took. */
export type FilledUrl = { ok: true; url: URL; rest: JsonObject } | { ok: false; message: string };

/**
 * Fills the `{name}` places of an `http` tool's URL with a tool call's arguments. A value is one piece of the path: it is
 * encoded, and what would move the path elsewhere (`.`, `..`, nothing at all) is refused, so that a call never leaves the
 * place that the owner wrote down, nor repeats a query key that stands there (of two, many servers take the last). Arguments without a place become the query when `toQuery` (GET, HEAD), else they are left in `rest`.
 */
export function fillConnectorUrl(template: string, args: JsonObject, toQuery: boolean): FilledUrl {
  const rest: JsonObject = { ...args };
  let filled = template;
  for (const name of connectorUrlPlaces(template)) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (value === undefined || value === null || typeof value === "object" || value === "") {
      return { ok: false, message: `The argument ${name} must be a text, a number or true or false, and not empty.` };
    }
    const encoded = encode(String(value));
    if (encoded === null) return { ok: false, message: `The argument ${name} is no proper text.` };
    filled = filled.replaceAll(`{${name}}`, () => encoded);
    delete rest[name];
  }
  if (!URL.canParse(filled)) return { ok: false, message: "The arguments do not make a URL." };
  const url = new URL(filled);
  if (isMoved(template, filled)) return { ok: false, message: "The arguments must not lead to another path." };
  if (!toQuery) return { ok: true, url, rest };
  const fixed = Object.keys(rest).find((name) => isFixed(url, name));
  if (fixed !== undefined) return { ok: false, message: `The tool's address sets ${fixed} itself; leave that argument out.` };
  for (const [name, value] of Object.entries(rest)) addToQuery(url, name, value);
  return { ok: true, url, rest: {} };
}

function encode(value: string): string | null {
  try {
    return encodeURIComponent(value);
  } catch {
    // Half of a surrogate pair.
    return null;
  }
}

/** A place may have text around it in its piece of the path, so the finished pieces are looked at, not the values. */
function isMoved(template: string, filled: string): boolean {
  const before = pathPieces(template);
  return pathPieces(filled).some((piece, index) => piece !== before[index] && (piece === "." || piece === ".."));
}

function pathPieces(url: string): string[] {
  const path = url.replace(/^[a-z]+:\/\/[^/?]*/i, "").split("?")[0] ?? "";
  return path.split("/");
}

/** Servers differ in whether case counts, and some read `key[]` and `key[0]` as `key`. */
function isFixed(url: URL, name: string): boolean {
  const plain = (key: string) => (key.split("[", 1)[0] ?? "").trim().toLowerCase();
  return [...url.searchParams.keys()].some((key) => plain(key) === plain(name));
}

function addToQuery(url: URL, name: string, value: JsonValue): void {
  if (value === null) return;
  if (Array.isArray(value)) for (const item of value) url.searchParams.append(name, queryText(item));
  else url.searchParams.append(name, queryText(value));
}

function queryText(value: JsonValue): string {
  return Array.isArray(value) || isJsonObject(value) ? JSON.stringify(value) : String(value);
}
