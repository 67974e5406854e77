import "server-only";
import type { Server } from "node:http";
import { isIPv4, isIPv6, type Socket } from "node:net";
import ipaddr from "ipaddr.js";
import { ServiceError } from "@/lib/model/errors";
import { rawRefusal } from "@/lib/server/refuse";

interface Window {
  startedAt: number;
  count: number;
}

const WINDOW_MS = 60_000;
const ADDRESSES_MAX = 200_000;

/**
 * Requests of each address a minute, counted before anything else is done for them. In the memory
 * of this process: it guards the process, and costs no query. At most `addressesMax` are
 * remembered; the address whose window began first is forgotten for a new one, never all of them at
 * once, so that nobody wins a fresh start for everybody by sending from many addresses.
 */
export class AddressLimit {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #addressesMax: number;
  /** In the order in which their windows began, which is the order of a Map. */
  readonly #windows = new Map<string, Window>();

  constructor(limit: number, now: () => number = Date.now, addressesMax = ADDRESSES_MAX) {
    this.#limit = limit;
    this.#now = now;
    this.#addressesMax = addressesMax;
  }

  /**
   * Counts one request. @returns whole seconds to wait, or 0 when it may go on; a limit of 0 lets
   * everything go on
   */
  take(address: string): number {
    if (this.#limit === 0) return 0;
    const now = this.#now();
    const current = this.#windows.get(address);
    if (current && now - current.startedAt < WINDOW_MS) {
      current.count += 1;
      return current.count > this.#limit
        ? Math.max(1, Math.ceil((current.startedAt + WINDOW_MS - now) / 1000))
        : 0;
    }
    // Deleted first, so that it moves to the end.
    this.#windows.delete(address);
    if (this.#windows.size >= this.#addressesMax) this.#forgetOldest();
    this.#windows.set(address, { startedAt: now, count: 1 });
    return 0;
  }

  /** Takes a count back, for a request that proved to come from ourselves. */
  refund(address: string): void {
    const current = this.#windows.get(address);
    if (current && current.count > 0) current.count -= 1;
  }

  #forgetOldest(): void {
    for (const address of this.#windows.keys()) {
      this.#windows.delete(address);
      return;
    }
  }
}

/**
 * Open connections of each address. A trusted proxy's are not counted: behind it are many clients,
 * and it has a limit of its own. One too many is answered 429 and closed before anything of it is
 * read.
 */
export class ConnectionLimit {
  readonly #limit: number;
  readonly #trustedProxies: TrustedProxies;
  readonly #open = new Map<string, number>();

  /** `limit` 0 switches it off. */
  constructor(limit: number, trustedProxies: TrustedProxies) {
    this.#limit = limit;
    this.#trustedProxies = trustedProxies;
  }

  watch(server: Server): void {
    if (this.#limit > 0) server.on("connection", (socket: Socket) => this.#admit(socket));
  }

  #admit(socket: Socket): void {
    const { limitKey, viaProxy } = clientAddress({
      socketAddress: socket.remoteAddress,
      forwardedFor: null,
      trustedProxies: this.#trustedProxies,
    });
    if (viaProxy) return;
    const open = (this.#open.get(limitKey) ?? 0) + 1;
    this.#open.set(limitKey, open);
    socket.once("close", () => this.#forget(limitKey));
    if (open > this.#limit) socket.end(this.#refusal(), () => socket.destroy());
  }

  #forget(limitKey: string): void {
    const open = (this.#open.get(limitKey) ?? 1) - 1;
    if (open > 0) this.#open.set(limitKey, open);
    else this.#open.delete(limitKey);
  }

  #refusal(): string {
    const message =
      `This address has ${this.#limit} connections open, which is as many as it may. Close some, ` +
      "or use them again.";
    return rawRefusal(429, new ServiceError("RATE_LIMITED", message, {}, { "Retry-After": "1" }));
  }
}

/** The networks whose word on a client's address counts. */
export type TrustedProxies = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

export type ClientAddress = {
  /**
   * The client's address, IPv4 wherever it is one; `unknown` when the socket has none (any more).
   */
  address: string;
  /**
   * What an IP limit counts by: the address, of IPv6 the /64, which is the least that one client
   * gets.
   */
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
      throw new Error(
        `TRUSTED_PROXIES holds "${entry}", which is neither an IP address nor a CIDR block.`,
      );
    }
    return [address, prefix];
  });
}

/**
 * Who a request comes from. Walks `X-Forwarded-For` from the right, and on only while the address
 * reached is a trusted proxy; what a client wrote into the header itself is thus never believed. An
 * entry that is no address ends the walk. Never throws.
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

/** Whether it is of this machine or of a private network, where proxies stand. */
export function isNearAddress(text: string): boolean {
  return ["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"].includes(
    parse(text)?.range() ?? "",
  );
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  const bare = text.split("%", 1)[0] ?? "";
  if (!isIPv6(bare)) return null;
  const address = ipaddr.IPv6.parse(bare);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d+$/, "$1");
}

function isTrusted(address: ipaddr.IPv4 | ipaddr.IPv6, proxies: TrustedProxies): boolean {
  return proxies.some(
    ([network, prefix]) => network.kind() === address.kind() && address.match(network, prefix),
  );
}

function limitKeyOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  return (
    ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_LIMIT_PREFIX}`).toString() +
    `/${IPV6_LIMIT_PREFIX}`
  );
}
