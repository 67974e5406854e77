import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { readAllowedHost } from "@/lib/model/secret/allowed-host";
import { trimEnd } from "@/lib/model/text/trim";

const URL_IN_TEXT = /https?:\/\/[^\s"'<>|\\^`{}]+/gi;
const BETWEEN_WORDS = /[\s"'<>()[\]{},;|`*]+/;
/** The longest name that a domain can have, with a port behind it. */
const BARE_HOST_MAX_CHARACTERS = 253 + 6;
/**
 * Endings of files that are top-level domains too: whoever writes `report.md` means a file, and
 * somebody else may own the host of that name.
 */
const FILE_ENDINGS = new Set(
  "ai app cc in md mk mm mov pl pm ps pub py rs sh so st zip".split(" "),
);

/**
 * A URL's host for comparison: with a port that is not the scheme's own, and without a leading
 * `www.`.
 */
export function hostOf(url: URL): string {
  return url.host.replace(/^www\./, "");
}

/** The hosts that a text names, by a whole address or by name alone (`example.com/news`). */
export function hostsIn(text: string): Set<string> {
  const addresses = Array.from(text.matchAll(URL_IN_TEXT), ([address]) =>
    trimEnd(address, ".,;:!?)]"),
  );
  const names = text.split(BETWEEN_WORDS).flatMap((word) => {
    const name = trimEnd(word.split("/", 1)[0] ?? "", ".:!?");
    const ending = endingOfHost(name);
    return ending === null || FILE_ENDINGS.has(ending) ? [] : [`https://${name}`];
  });
  const hosts = new Set<string>();
  // One that stands there a thousand times is read once.
  for (const address of new Set([...addresses, ...names])) {
    const url = URL.parse(address);
    if (url !== null) hosts.add(hostOf(url));
  }
  return hosts;
}

/**
 * The last label, in lower case, of what is written like a host, with or without a port; null for
 * what is not.
 */
function endingOfHost(name: string): string | null {
  if (name.length > BARE_HOST_MAX_CHARACTERS) return null;
  const [host = "", port, ...more] = name.split(":");
  if (more.length > 0 || (port !== undefined && !/^\d{1,5}$/.test(port))) return null;
  const labels = host.toLowerCase().split(".");
  const ending = labels.at(-1) ?? "";
  if (labels.length < 2 || !/^[a-z]{2,24}$/.test(ending)) return null;
  return labels.every(isHostLabel) ? ending : null;
}

function isHostLabel(label: string): boolean {
  return (
    label.length <= 63 &&
    /^[a-z0-9-]+$/.test(label) &&
    !label.startsWith("-") &&
    !label.endsWith("-")
  );
}

/** The hosts that any text in a JSON value names. */
export function hostsInJson(value: JsonValue): Set<string> {
  return hostsIn(textsOf(value).join("\n"));
}

function textsOf(value: JsonValue, texts: string[] = []): string[] {
  if (typeof value === "string") texts.push(value);
  const inner = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  for (const item of inner) textsOf(item, texts);
  return texts;
}

/**
 * What a person wrote themselves is short; a longer text was pasted in, and may be somebody else's
 * word.
 */
export const PERSONS_TEXT_MAX_CHARACTERS = 2_000;

/** The hosts that the person behind a run's input names: those of its short texts. */
export function hostsOfPerson(input: JsonValue): Set<string> {
  const short = textsOf(input).filter((text) => text.length <= PERSONS_TEXT_MAX_CHARACTERS);
  return hostsIn(short.join("\n"));
}

/**
 * Whether a text may stand in a config's `tools.web.allowed_hosts`: `host`, `host:port`, `*.host`
 * for all below it, or `*`.
 */
export function isHostPattern(text: string): boolean {
  return text === "*" || readAllowedHost(text.replace(/^\*\./, "")) !== null;
}

/**
 * Whether a URL's host is one of those that a pattern stands for. A host without a port stands for
 * the scheme's own port.
 */
export function fitsHostPattern(url: URL, pattern: string): boolean {
  if (pattern === "*") return true;
  const isBelow = pattern.startsWith("*.");
  const allowed = readAllowedHost(isBelow ? pattern.slice(2) : pattern);
  if (allowed === null) return false;
  const isPort =
    allowed.port === null
      ? url.port === ""
      : Number(url.port || (url.protocol === "https:" ? 443 : 80)) === allowed.port;
  return (
    isPort && (isBelow ? url.hostname.endsWith(`.${allowed.host}`) : url.hostname === allowed.host)
  );
}
