import "server-only";
import { type ClientRequest, type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { EgressFailed } from "./egress-failed";
import type { EgressLookup } from "./egress-lookup";
import { resolveTarget } from "./resolve-target";

export type EgressMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** How the guard reaches the world; tests put their own `lookup`, `connect` and `ca` in. */
export type EgressReach = {
  /** Targets `host:port` that the operator exempted (`EGRESS_ALLOW`). */
  allow: readonly string[];
  /** Public ranges that the operator closed (`EGRESS_DENY`), as `address/bits`. An exempted target is open all the same. */
  deny?: readonly string[] | undefined;
  lookup?: EgressLookup | undefined;
  connect?: EgressConnect | undefined;
  /** Certificates to trust in place of the usual ones, PEM. */
  ca?: string | undefined;
};

export type EgressHop = {
  url: URL;
  method: EgressMethod;
  headers: ReadonlyMap<string, string>;
  body?: Uint8Array | undefined;
  signal: AbortSignal;
  reach: EgressReach;
};

const MAX_HEADER_BYTES = 32_768;

/** What belongs to the connection is ours to say; a caller's word on it could smuggle a second request or another host. */
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
 * Sends one request on a connection of its own, to exactly the address that was checked; resolves with the head of the answer.
 * No pool, no proxy, no redirect. `signal` ends it at any point, the body of the answer included.
 *
 * @throws EgressRefused, EgressFailed; the signal's reason when it aborts before the head has come.
 */
export async function openEgress(hop: EgressHop): Promise<IncomingMessage> {
  const addresses = await untilAborted(resolveTarget(hop.url, { ...hop.reach, signal: hop.signal }), hop.signal);
  hop.signal.throwIfAborted();
  return await new Promise<IncomingMessage>((resolve, reject) => {
    const fail = (error: unknown) => reject(hop.signal.aborted ? hop.signal.reason : new EgressFailed("unreachable", { cause: error }));
    const request = buildRequest(hop, addresses);
    request.once("response", resolve);
    request.once("upgrade", (_response, socket: Socket) => {
      socket.destroy();
      reject(new EgressFailed("broken"));
    });
    // Stays for good: after the head, the body reports the fault, but an error event without a listener ends the process.
    request.on("error", fail);
    request.once("close", () => fail(new Error("closed before an answer")));
    request.end(hop.body);
  });
}

function buildRequest(hop: EgressHop, addresses: string[]): ClientRequest {
  const secure = hop.url.protocol === "https:";
  const headers: Record<string, string> = { host: hop.url.host, "accept-encoding": "identity" };
  for (const [name, value] of hop.headers) if (!OWN_HEADERS.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
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
  const tls = connectTls({ socket, host, rejectUnauthorized: true, ...(isIP(host) === 0 && { servername: host }), ca: hop.reach.ca });
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

/** The real connection: tries the addresses in turn (both families, as browsers do), without asking any resolver again. */
const connectToChecked: EgressConnect = ({ addresses, port }) => {
  const [first, ...others] = addresses;
  if (first === undefined) throw new TypeError("a connection needs an address");
  if (others.length === 0) return connect({ host: first, port });
  const answers = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return connect({
    // A name, so that Node asks this lookup, whose answer is already fixed; the name itself is never resolved.
    host: "checked.invalid",
    port,
    autoSelectFamily: true,
    lookup: (_name, _options, done) => done(null, answers),
  });
};
