import "server-only";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { ServiceError } from "@/lib/model/errors";
import { clientAddress, type TrustedProxies } from "@/lib/platform/client-address";
import { rawRefusal } from "@/lib/server/refuse";

interface Window {
  startedAt: number;
  count: number;
}

const WINDOW_MS = 60_000;
const ADDRESSES_MAX = 200_000;

/**
 * Requests of each address a minute, counted before anything else is done for them. In the memory of this process: it guards the process, and costs no
 * query. At most `addressesMax` are remembered; the address whose window began first is forgotten for a new one, never all of them at once, so that
 * nobody wins a fresh start for everybody by sending from many addresses.
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

  /** Counts one request. @returns whole seconds to wait, or 0 when it may go on; a limit of 0 lets everything go on */
  take(address: string): number {
    if (this.#limit === 0) return 0;
    const now = this.#now();
    const current = this.#windows.get(address);
    if (current && now - current.startedAt < WINDOW_MS) {
      current.count += 1;
      return current.count > this.#limit ? Math.max(1, Math.ceil((current.startedAt + WINDOW_MS - now) / 1000)) : 0;
    }
    // Deleted first, so that it moves to the end.
    this.#windows.delete(address);
    if (this.#windows.size >= this.#addressesMax) this.#forgetOldest();
    this.#windows.set(address, { startedAt: now, count: 1 });
    return 0;
  }

  /** Takes a count back, for a request that proved to come from ourselves. */
  giveBack(address: string): void {
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
 * Open connections of each address. A trusted proxy's are not counted: behind it are many clients, and it has a limit of its own. One too many is
 * answered 429 and closed before anything of it is read.
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
    const message = `This address has ${this.#limit} connections open, which is as many as it may. Close some, or use them again.`;
    return rawRefusal(429, new ServiceError("RATE_LIMITED", message, {}, { "Retry-After": "1" }));
  }
}
