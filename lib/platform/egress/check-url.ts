import "server-only";
import { isIP } from "node:net";
import { EGRESS_REFUSED_MESSAGE } from "./egress-refused";
import { isAllowedTarget } from "./is-allowed-target";
import { isPublicAddress } from "./public-address";

export const MAX_URL_CHARS = 2048;

export type UrlCheck = { ok: true; url: URL } | { ok: false; message: string };

/** The bad ports of the fetch standard: behind them stand services that could take a request for their own commands. An empty port reads as 0, which is none. */
const BAD_PORTS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117,
  119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
  989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Names that lead inside by convention, whatever DNS says about them. */
const INSIDE_SUFFIXES = [
  "localhost",
  "local",
  "internal",
  "localdomain",
  "lan",
  "intranet",
  "corp",
  "home",
  "private",
  "home.arpa",
  "onion",
];

/**
 * Whether a URL that a user gave may be called at all, as far as its text tells: http or https, no user name or password, at most
 * 2,048 characters, no port of another protocol, and a host that is a public IP literal or a name of at least two labels outside the inside-only suffixes.
 * Does not resolve the name; `requirePublicTarget` and the connection itself do. Never throws.
 */
export function checkUrl(text: string, options: { allow?: readonly string[] } = {}): UrlCheck {
  if (text.length > MAX_URL_CHARS) return { ok: false, message: `The URL must be at most ${MAX_URL_CHARS} characters long.` };
  // The parser drops tabs, line ends and outer blanks in silence; what was checked must be what was written.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return { ok: false, message: "The URL is not valid." };
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return { ok: false, message: "The URL must begin with http:// or https://." };
  if (url.username !== "" || url.password !== "") return { ok: false, message: "The URL must not contain a user name or password." };
  if (isAllowedTarget(url, options.allow ?? [])) return { ok: true, url };
  if (!isPublicHost(url.hostname)) return { ok: false, message: EGRESS_REFUSED_MESSAGE };
  if (BAD_PORTS.has(Number(url.port))) return { ok: false, message: "The URL names a port of a service that does not speak HTTP." };
  return { ok: true, url };
}

function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith("[")) return isPublicAddress(hostname.slice(1, -1));
  if (isIP(hostname) !== 0) return isPublicAddress(hostname);
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  const labels = name.split(".");
  if (labels.length < 2 || name.length > 253 || labels.some((label) => label === "" || label.length > 63)) return false;
  // The parser has folded every numeric form into dotted decimal; a name that still ends in digits is a trick on some other parser.
  if (/^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "")) return false;
  return !INSIDE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}
