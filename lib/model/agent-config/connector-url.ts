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
 * What is wrong with a connector's URL, or null: `http` or `https`, a host, no user name, no fragment; `{name}` places stand in
 * the path only, and only when `mayHavePlaces`. Where the host leads is checked by whoever connects.
 */
export function checkConnectorUrl(url: string, mayHavePlaces: boolean): string | null {
  if (url.length > CONNECTOR_URL_MAX_CHARACTERS) return `A URL has at most ${CONNECTOR_URL_MAX_CHARACTERS} characters.`;
  if (SPACE_OR_CONTROL.test(url)) return "A URL must not contain spaces, backslashes or control characters.";
  const match = START.exec(url);
  if (match === null) return "Must be an http or https URL without a fragment, with {name} places in its path only.";
  const [path = "", ...query] = (match[2] ?? "").split("?");
  if (/[{}]/.test(query.join("?"))) return "{name} places may stand in the path only: other arguments go to the query on their own.";
  if (/[{}]/.test(path.replace(PLACE, ""))) return "A {name} place must be a name of letters, digits and _ in braces.";
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
