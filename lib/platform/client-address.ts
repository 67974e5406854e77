import "server-only";
import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** The networks whose word on a client's address counts. */
export type TrustedProxies = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

export type ClientAddress = {
  /** The client's address, IPv4 wherever it is one; `unknown` when the socket has none (any more). */
  address: string;
  /** What an IP limit counts by: the address, of IPv6 the /64, which is the least that one client gets. */
  limitKey: string;
  /** The connection itself is that of a trusted proxy. */
  viaProxy: boolean;
};

/** A longer chain of proxies is made up. */
const MAX_HOPS = 32;
const IPV6_LIMIT_PREFIX = 64;

/**
 * Reads `TRUSTED_PROXIES`: addresses and CIDR blocks.
 * @throws Error that names the entry which is neither
 */
export function parseTrustedProxies(entries: readonly string[]): TrustedProxies {
  return entries.map((entry) => {
    const [text = "", length, ...more] = entry.split("/");
    const address = parse(text);
    const bits = address?.kind() === "ipv4" ? 32 : 128;
    const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : -1;
    if (address === null || more.length > 0 || prefix < 0 || prefix > bits) {
      throw new Error(`TRUSTED_PROXIES holds "${entry}", which is neither an IP address nor a CIDR block.`);
    }
    return [address, prefix];
  });
}

/**
 * Who a request comes from. Walks `X-Forwarded-For` from the right, and on only while the address reached is a trusted proxy; what a
 * client wrote into the header itself is thus never believed. An entry that is no address ends the walk. Never throws.
 */
export function clientAddress(request: {
  socketAddress: string | undefined;
  forwardedFor: string | null | undefined;
  trustedProxies: TrustedProxies;
}): ClientAddress {
  let address = parse(request.socketAddress ?? "");
  if (address === null) return { address: "unknown", limitKey: "unknown", viaProxy: false };
  const viaProxy = isTrusted(address, request.trustedProxies);
  if (viaProxy) {
    for (const entry of (request.forwardedFor ?? "").split(",").slice(-MAX_HOPS).reverse()) {
      const next = parse(withoutPort(entry.trim()));
      if (next === null) break;
      address = next;
      if (!isTrusted(address, request.trustedProxies)) break;
    }
  }
  return { address: address.toString(), limitKey: limitKeyOf(address), viaProxy };
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  const bare = text.replace(/%.*$/, "");
  if (!isIPv6(bare)) return null;
  const address = ipaddr.IPv6.parse(bare);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d+$/, "$1");
}

function isTrusted(address: ipaddr.IPv4 | ipaddr.IPv6, proxies: TrustedProxies): boolean {
  return proxies.some(([network, prefix]) => network.kind() === address.kind() && address.match(network, prefix));
}

function limitKeyOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_LIMIT_PREFIX}`).toString()}/${IPV6_LIMIT_PREFIX}`;
}
