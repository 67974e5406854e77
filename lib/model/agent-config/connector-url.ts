import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";

/** Longest URL of a connector. */
export const CONNECTOR_URL_MAX_CHARACTERS = 2_048;

const PLACE = /\{([A-Za-z_][A-Za-z0-9_]{0,63})\}/g;
const START = /^(https?:\/\/[^/?#{}]+)([/?][^#]*)?$/i;
const SPACE_OR_CONTROL = /[\s\\]|\p{Cc}/u;

/** The names of a URL's `{name}` places, each once, in their order. */
export function connectorUrlPlaces(url: string): string[] {
  return [...new Set(Array.from(url.matchAll(PLACE), (match) => match[1] ?? ""))];
}

/**
 * What is wrong with a connector's URL, or null: `http` or `https`, a host, no user name, no
 * fragment; `{name}` places stand in the path only, and only when `mayHavePlaces`. Where the host
 * leads is checked by whoever connects.
 */
export function checkConnectorUrl(url: string, mayHavePlaces: boolean): string | null {
  if (url.length > CONNECTOR_URL_MAX_CHARACTERS)
    return `A URL has at most ${CONNECTOR_URL_MAX_CHARACTERS} characters.`;
  if (SPACE_OR_CONTROL.test(url))
    return "A URL must not contain spaces, backslashes or control characters.";
  const match = START.exec(url);
  if (match === null)
    return "Must be an http or https URL without a fragment, with {name} places in its path only.";
  const [path = "", ...query] = (match[2] ?? "").split("?");
  if (/[{}]/.test(query.join("?")))
    return (
      "{name} places may stand in the path only: other arguments go to the query on their " + "own."
    );
  if (/[{}]/.test(path.replace(PLACE, "")))
    return "A {name} place must be a name of letters, digits and _ in braces.";
  if (!mayHavePlaces && /[{}]/.test(path)) return "This URL cannot have {name} places.";
  if ((match[1] ?? "").includes("@")) return "A URL must not carry a user name or password.";
  return URL.canParse(url.replace(PLACE, "x")) ? null : "Is not a URL.";
}

/** The one spelling of an MCP server's URL, by which the account's connection to it is found. */
export function serverUrlOf(url: string): string {
  const parsed = new URL(url);
  parsed.hash = "";
  return parsed.href;
}

/** `rest` holds the arguments that no place of the path took. */
type FilledUrl = { ok: true; url: URL; rest: JsonObject } | { ok: false; message: string };

/**
 * Fills the `{name}` places of an `http` tool's URL with a tool call's arguments. A value is one
 * piece of the path: it is encoded, and what would move the path elsewhere (`.`, `..`, nothing at
 * all) is refused, so that a call never leaves the place that the owner wrote down, nor repeats a
 * query key that stands there (of two, many servers take the last). Arguments without a place
 * become the query when `toQuery` (GET, HEAD), else they are left in `rest`.
 */
export function fillConnectorUrl(template: string, args: JsonObject, toQuery: boolean): FilledUrl {
  const rest: JsonObject = { ...args };
  let filled = template;
  for (const name of connectorUrlPlaces(template)) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (value === undefined || value === null || typeof value === "object" || value === "") {
      return {
        ok: false,
        message: `The argument ${name} must be a text, a number or true or false, and not empty.`,
      };
    }
    const encoded = encode(String(value));
    if (encoded === null) return { ok: false, message: `The argument ${name} is no proper text.` };
    filled = filled.replaceAll(`{${name}}`, () => encoded);
    delete rest[name];
  }
  if (!URL.canParse(filled)) return { ok: false, message: "The arguments do not make a URL." };
  const url = new URL(filled);
  if (isMoved(template, filled))
    return { ok: false, message: "The arguments must not lead to another path." };
  if (!toQuery) return { ok: true, url, rest };
  const fixed = Object.keys(rest).find((name) => isFixed(url, name));
  if (fixed !== undefined)
    return {
      ok: false,
      message: `The tool's address sets ${fixed} itself; leave that argument out.`,
    };
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

/**
 * A place may have text around it in its piece of the path, so the finished pieces are looked at,
 * not the values.
 */
function isMoved(template: string, filled: string): boolean {
  const before = pathPieces(template);
  return pathPieces(filled).some(
    (piece, index) => piece !== before[index] && (piece === "." || piece === ".."),
  );
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
  if (Array.isArray(value))
    for (const item of value) url.searchParams.append(name, queryText(item));
  else url.searchParams.append(name, queryText(value));
}

function queryText(value: JsonValue): string {
  return Array.isArray(value) || isJsonObject(value) ? JSON.stringify(value) : String(value);
}
