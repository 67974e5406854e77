import "server-only";
import { Resolver, lookup as systemLookup } from "node:dns/promises";
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * The one sentence for every refusal: a caller must not learn from it whether a name, a literal or
 * an answer of DNS was at fault.
 */
export const EGRESS_REFUSED_MESSAGE = "The URL must lead to a public http or https address.";

/** The target of an outgoing call is not public. Nothing was sent, no connection was opened. */
export class EgressRefused extends Error {
  override readonly name = "EgressRefused";

  constructor() {
    super(EGRESS_REFUSED_MESSAGE);
  }
}

/**
 * IANA's special-purpose IPv4 blocks, multicast and class E, and the one public address that is a
 * cloud's own.
 */
const CLOSED_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32",
].map((cidr) => ipaddr.IPv4.parseCIDR(cidr));

/**
 * IPv6 is the other way round: only global unicast is open, less the blocks in it that carry IPv4
 * inside or lead nowhere.
 */
const OPEN_V6 = ipaddr.IPv6.parseCIDR("2000::/3");
const CLOSED_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"].map(
  (cidr) => ipaddr.IPv6.parseCIDR(cidr),
);

/**
 * Whether an IP address in text form may be connected to on behalf of a user. Only plain, complete
 * forms count: dotted decimal for IPv4, no brackets and no zone for IPv6. Everything else, a host
 * name too, is `false`.
 *
 * IPv4 inside IPv6 (mapped, compatible, 6to4, Teredo, NAT64) is refused whatever it holds: a name
 * that needs it is not public.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) {
    const address = ipaddr.IPv4.parse(ip);
    return !CLOSED_V4.some((block) => address.match(block));
  }
  if (!isIPv6(ip) || ip.includes("%")) return false;
  const address = ipaddr.IPv6.parse(ip);
  return address.match(OPEN_V6) && !CLOSED_V6.some((block) => address.match(block));
}

/**
 * Whether an IP address lies in one of these ranges (`address/bits`). A text that is no address
 * lies in all of them.
 */
function isInRanges(ip: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return false;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits = ""] = range.split("/");
    list.addSubnet(address, Number(bits), isIPv4(address) ? "ipv4" : "ipv6");
  }
  return isIPv4(ip) || isIPv6(ip) ? list.check(ip, isIPv4(ip) ? "ipv4" : "ipv6") : true;
}

/**
 * Whether the operator exempted this very host and port (`EGRESS_ALLOW`: entries `host:port`, IPv6
 * as `[::1]:8080`).
 * The name must match as named: an entry `127.0.0.1:80` does not open `localhost:80`. An entry that
 * is no `host:port` opens nothing.
 */
export function isAllowedTarget(url: URL, allow: readonly string[]): boolean {
  if (allow.length === 0) return false;
  const target = `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
  return allow.some((entry) => canonicalEntry(entry) === target);
}

function canonicalEntry(entry: string): string | null {
  const text = `http://${entry.trim()}/`;
  const port = /:(\d{1,5})\/$/.exec(text)?.[1];
  if (port === undefined || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.pathname !== "/" || url.username !== "" || url.search !== "" || url.hash !== "")
    return null;
  return `${url.hostname}:${Number(port)}`;
}

const MAX_URL_CHARS = 2048;

type UrlCheck = { ok: true; url: URL } | { ok: false; message: string };

/**
 * The bad ports of the fetch standard: behind them stand services that could take a request for
 * their own commands. An empty port reads as 0, which is none.
 */
const BAD_PORTS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
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
 * Whether a URL that a user gave may be called at all, as far as its text tells: http or https, no
 * user name or password, at most 2,048 characters, no port of another protocol, and a host that is
 * a public IP literal or a name of at least two labels outside the inside-only suffixes.
 * Does not resolve the name; `requirePublicTarget` and the connection itself do. Never throws.
 */
export function checkUrl(text: string, options: { allow?: readonly string[] } = {}): UrlCheck {
  if (text.length > MAX_URL_CHARS)
    return { ok: false, message: `The URL must be at most ${MAX_URL_CHARS} characters long.` };
  // The parser drops tabs, line ends and outer blanks in silence; what was checked must be what was
  // written.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text))
    return { ok: false, message: "The URL is not valid." };
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { ok: false, message: "The URL must begin with http:// or https://." };
  if (url.username !== "" || url.password !== "")
    return { ok: false, message: "The URL must not contain a user name or password." };
  if (isAllowedTarget(url, options.allow ?? [])) return { ok: true, url };
  if (!isPublicHost(url.hostname)) return { ok: false, message: EGRESS_REFUSED_MESSAGE };
  if (BAD_PORTS.has(Number(url.port)))
    return { ok: false, message: "The URL names a port of a service that does not speak HTTP." };
  return { ok: true, url };
}

function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith("[")) return isPublicAddress(hostname.slice(1, -1));
  if (isIP(hostname) !== 0) return isPublicAddress(hostname);
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  const labels = name.split(".");
  if (
    labels.length < 2 ||
    name.length > 253 ||
    labels.some((label) => label === "" || label.length > 63)
  )
    return false;
  // The parser has folded every numeric form into dotted decimal; a name that still ends in digits
  // is a trick on some other parser.
  if (/^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "")) return false;
  return !INSIDE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}

/**
 * Resolves a host name to addresses in text form; empty when the name does not resolve. Rejects
 * only when `signal` aborts.
 */
export type EgressLookup = (hostname: string, signal: AbortSignal) => Promise<string[]>;

const QUERY_TIMEOUT_MS = 2000;
const QUERY_TRIES = 2;

/**
 * A lookup that asks name servers directly (those given, as `address:port`, else the machine's).
 * The operating system's resolver would occupy one of the few threads that also serve the disk, so
 * a handful of slow names could stall the process; and it would read the machine's own host file.
 */
export function createNameLookup(servers?: readonly string[]): EgressLookup {
  return async (hostname, signal) => {
    signal.throwIfAborted();
    // Reserved for names that do not exist (RFC 6761): nobody is asked.
    if (hostname.endsWith(".invalid")) return [];
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const stop = () => resolver.cancel();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const answers = await Promise.allSettled([
        resolver.resolve4(hostname),
        resolver.resolve6(hostname),
      ]);
      signal.throwIfAborted();
      return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    } finally {
      signal.removeEventListener("abort", stop);
    }
  };
}

/** For the names that users give. */
const lookupPublicName: EgressLookup = createNameLookup();

/**
 * For targets that the operator exempted by name: the machine's own resolver, so that `localhost`
 * and container names work.
 */
export const lookupAllowedName: EgressLookup = async (hostname, signal) => {
  const answers = await systemLookup(hostname, { all: true }).catch(() => []);
  signal.throwIfAborted();
  return answers.map((answer) => answer.address);
};

/** More answers than this are a flood, not a service. */
const MAX_ADDRESSES = 16;

/**
 * The addresses that a connection for `url` may go to, each of them checked: the literal in it, or
 * what its name resolves to now.
 * One address that is not public spoils the whole answer.
 *
 * @throws EgressRefused when the text or an address is not permitted.
 * @throws EgressFailed `unreachable` when the name does not resolve.
 */
export async function resolveTarget(
  url: URL,
  options: {
    allow: readonly string[];
    deny?: readonly string[] | undefined;
    signal: AbortSignal;
    lookup?: EgressLookup | undefined;
  },
): Promise<string[]> {
  const checked = checkUrl(url.href, { allow: options.allow });
  if (!checked.ok) throw new EgressRefused();
  const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
  const allowed = isAllowedTarget(url, options.allow);
  const isClosed = (address: string) =>
    !allowed && (!isPublicAddress(address) || isInRanges(address, options.deny ?? []));
  if (isIP(host) !== 0) {
    if (isClosed(host)) throw new EgressRefused();
    return [host];
  }
  const lookup = options.lookup ?? (allowed ? lookupAllowedName : lookupPublicName);
  const addresses = await lookup(host.replace(/\.$/, ""), options.signal);
  if (addresses.length === 0) throw new EgressFailed("unreachable");
  if (addresses.some(isClosed)) throw new EgressRefused();
  return addresses.slice(0, MAX_ADDRESSES);
}

const DEFAULT_LOOKUP_MS = 2000;

/**
 * Guards the acceptance of a URL for later use (a webhook): resolves its name and lets it pass only
 * when every address is public.
 * A name that does not resolve, or not within `timeoutMs` (2,000), passes: the connection is
 * checked again when it is made.
 *
 * @throws EgressRefused when the target is not public.
 */
export async function requirePublicTarget(
  url: URL,
  options: {
    allow?: readonly string[];
    deny?: readonly string[] | undefined;
    lookup?: EgressLookup | undefined;
    timeoutMs?: number;
    signal?: AbortSignal;
  } = {},
): Promise<void> {
  options.signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_LOOKUP_MS);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  try {
    await Promise.race([
      resolveTarget(url, {
        allow: options.allow ?? [],
        deny: options.deny,
        lookup: options.lookup,
        signal,
      }),
      aborted(signal),
    ]);
  } catch (error) {
    if (error instanceof EgressRefused) throw error;
    options.signal?.throwIfAborted();
    if (timeout.aborted || error instanceof EgressFailed) return;
    throw error;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
}

type EgressFailure = "timeout" | "unreachable" | "too_large" | "invalid_request" | "broken";

const MESSAGES: Record<EgressFailure, string> = {
  timeout: "The target did not answer in time.",
  unreachable: "The target could not be reached.",
  too_large: "The answer is larger than allowed.",
  invalid_request: "The request could not be sent as given.",
  broken: "The answer broke off or could not be read.",
};

/**
 * An outgoing call to a permitted target failed. `message` is safe to show; `cause` is for the log
 * only.
 */
export class EgressFailed extends Error {
  override readonly name = "EgressFailed";

  constructor(
    readonly reason: EgressFailure,
    options?: { cause?: unknown },
  ) {
    super(MESSAGES[reason], options);
  }
}
