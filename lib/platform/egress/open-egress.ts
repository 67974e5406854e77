import "server-only";
import {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from "node:http";
import { request as requestHttps } from "node:https";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import {
  EgressFailed,
  type EgressLookup,
  EgressRefused,
  resolveTarget,
} from "@/lib/platform/egress/target";
export type EgressMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** How the guard reaches the world; tests put their own `lookup`, `connect` and `ca` in. */
export type EgressOptions = {
  /** Targets `host:port` that the operator exempted (`EGRESS_ALLOW`). */
  allow: readonly string[];
  /**
   * Public ranges that the operator closed (`EGRESS_DENY`), as `address/bits`. An exempted target
   * is open all the same.
   */
  deny?: readonly string[] | undefined;
  lookup?: EgressLookup | undefined;
  connect?: EgressConnect | undefined;
  /** Certificates to trust in place of the usual ones, PEM. */
  ca?: string | undefined;
};

type EgressHop = {
  url: URL;
  method: EgressMethod;
  headers: ReadonlyMap<string, string>;
  body?: Uint8Array | undefined;
  signal: AbortSignal;
  reach: EgressOptions;
};

const MAX_HEADER_BYTES = 32_768;

/**
 * What belongs to the connection is ours to say; a caller's word on it could smuggle a second
 * request or another host.
 */
const OWN_HEADERS = new Set([
  "host",
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "content-length",
  "upgrade",
  "expect",
  "accept-encoding",
]);

/**
 * Sends one request on a connection of its own, to exactly the address that was checked; resolves
 * with the head of the answer.
 * No pool, no proxy, no redirect. `signal` ends it at any point, the body of the answer included.
 *
 * @throws EgressRefused, EgressFailed; the signal's reason when it aborts before the head has come.
 */
async function openEgress(hop: EgressHop): Promise<IncomingMessage> {
  const addresses = await untilAborted(
    resolveTarget(hop.url, { ...hop.reach, signal: hop.signal }),
    hop.signal,
  );
  hop.signal.throwIfAborted();
  return await new Promise<IncomingMessage>((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(
        hop.signal.aborted ? hop.signal.reason : new EgressFailed("unreachable", { cause: error }),
      );
    const request = buildRequest(hop, addresses);
    request.once("response", resolve);
    request.once("upgrade", (_response, socket: Socket) => {
      socket.destroy();
      reject(new EgressFailed("broken"));
    });
    // Stays for good: after the head, the body reports the fault, but an error event without a
    // listener ends the process.
    request.on("error", fail);
    request.once("close", () => fail(new Error("closed before an answer")));
    request.end(hop.body);
  });
}

function buildRequest(hop: EgressHop, addresses: string[]): ClientRequest {
  const secure = hop.url.protocol === "https:";
  const headers: Record<string, string> = { host: hop.url.host, "accept-encoding": "identity" };
  for (const [name, value] of hop.headers)
    if (!OWN_HEADERS.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
  if (hop.body !== undefined) headers["content-length"] = String(hop.body.byteLength);
  const options: RequestOptions = {
    method: hop.method,
    path: `${hop.url.pathname}${hop.url.search}`,
    headers,
    signal: hop.signal,
    maxHeaderSize: MAX_HEADER_BYTES,
    createConnection: () => openSocket(hop, addresses),
  };
  try {
    return secure ? requestHttps(options) : requestHttp(options);
  } catch (error) {
    throw new EgressFailed("invalid_request", { cause: error });
  }
}

function openSocket(hop: EgressHop, addresses: string[]): Socket {
  const secure = hop.url.protocol === "https:";
  const port = Number(hop.url.port || (secure ? 443 : 80));
  const socket = (hop.reach.connect ?? connectToChecked)({ addresses, port });
  if (!secure) return socket;
  const host = hop.url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  // Named explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch the check off.
  const tls = connectTls({
    socket,
    host,
    rejectUnauthorized: true,
    ...(isIP(host) === 0 && { servername: host }),
    ca: hop.reach.ca,
  });
  socket.once("error", (error) => tls.destroy(error));
  return tls;
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Opens a TCP connection to one of these addresses, all of them checked, and to nothing else. */
type EgressConnect = (target: { addresses: string[]; port: number }) => Socket;

/**
 * The real connection: tries the addresses in turn (both families, as browsers do), without asking
 * any resolver again.
 */
const connectToChecked: EgressConnect = ({ addresses, port }) => {
  const [first, ...others] = addresses;
  if (first === undefined) throw new TypeError("a connection needs an address");
  if (others.length === 0) return connect({ host: first, port });
  const answers = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return connect({
    // A name, so that Node asks this lookup, whose answer is already fixed; the name itself is
    // never resolved.
    host: "checked.invalid",
    port,
    autoSelectFamily: true,
    lookup: (_name, _options, done) => done(null, answers),
  });
};

/** What every kind of outgoing call is given. Times in milliseconds. */
export type EgressRequest = EgressOptions & {
  /** Default `GET`. */
  method?: EgressMethod;
  /** What belongs to the connection (`Host`, `Content-Length`, …) is ignored. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** The caller's own end of the call; its reason is what is thrown. */
  signal?: AbortSignal | undefined;
  timeoutMs: number;
  maxResponseBytes: number;
  /** How many redirects to follow; default 0: the redirect is the answer. */
  followRedirects?: number;
  /**
   * Whether a redirect to another origin may be followed; one that may not is the answer. Default:
   * any.
   */
  mayFollow?: ((url: URL) => boolean) | undefined;
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** All that may follow a request to another origin; a credential may stand under any other name. */
const NEUTRAL_HEADERS = new Set(["accept", "accept-language", "user-agent"]);

/**
 * Sends a request and follows at most `followRedirects` redirects, each hop checked and connected
 * like the first one. Another origin gets no credentials and no body, and is followed only where
 * the caller lets it: such a redirect of a request with a body is handed back as the answer, as is
 * one too many.
 */
export async function sendEgress(
  first: EgressHop,
  {
    followRedirects = 0,
    mayFollow = () => true,
  }: Pick<EgressRequest, "followRedirects" | "mayFollow">,
): Promise<{ response: IncomingMessage; url: URL }> {
  let hop = first;
  for (let left = followRedirects; ; left -= 1) {
    const response = await openEgress(hop);
    const next = left > 0 ? nextHop(hop, response, mayFollow) : null;
    if (next === null) return { response, url: hop.url };
    response.on("error", () => {});
    response.destroy();
    hop = next;
  }
}

function nextHop(
  hop: EgressHop,
  response: IncomingMessage,
  mayFollow: (url: URL) => boolean,
): EgressHop | null {
  const status = response.statusCode ?? 0;
  const location = response.headers.location;
  if (!REDIRECTS.has(status) || location === undefined || !URL.canParse(location, hop.url))
    return null;
  const url = new URL(location, hop.url);
  const toGet =
    hop.method !== "HEAD" && (status === 303 || (hop.method === "POST" && status < 303));
  const method = toGet ? "GET" : hop.method;
  const body = toGet ? undefined : hop.body;
  const elsewhere = url.origin !== hop.url.origin;
  if (elsewhere && !mayFollow(url)) return null;
  if (elsewhere && (body !== undefined || (method !== "GET" && method !== "HEAD"))) return null;
  const headers = new Map(
    [...hop.headers].filter(([name]) => !elsewhere || NEUTRAL_HEADERS.has(name.toLowerCase())),
  );
  if (toGet)
    for (const name of [...headers.keys()])
      if (name.toLowerCase().startsWith("content-")) headers.delete(name);
  return { ...hop, url, method, body, headers };
}

/**
 * @throws EgressRefused when the text is no URL at all; whether it is a permitted one is decided
 * where it is connected.
 */
export function toFirstHop(
  target: URL | string,
  request: EgressRequest,
  signal: AbortSignal,
): EgressHop {
  if (typeof target === "string" && !URL.canParse(target)) throw new EgressRefused();
  return {
    url: new URL(target),
    method: request.method ?? "GET",
    headers: new Map(Object.entries(request.headers ?? {})),
    body: typeof request.body === "string" ? new TextEncoder().encode(request.body) : request.body,
    signal,
    reach: {
      allow: request.allow,
      deny: request.deny,
      lookup: request.lookup,
      connect: request.connect,
      ca: request.ca,
    },
  };
}
