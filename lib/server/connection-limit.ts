import "server-only";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { ServiceError } from "@/lib/model/errors";
import { clientAddress, type TrustedProxies } from "@/lib/platform/client-address";
import { rawRefusal } from "./refuse";

/**
 * Open connections of each address. A trusted proxy's are not counted: behind it are many clients, and it has a limit of its own. One too many is
 * answered 429 and closed before anything of it is read.
 */
export class ConnectionLimit {
  readonly #open = new Map<string, number>();

  /** `limit` 0 switches it off. */
  constructor(
    private readonly limit: number,
    private readonly trustedProxies: TrustedProxies,
  ) {}

  watch(server: Server): void {
    if (this.limit > 0) server.on("connection", (socket: Socket) => this.#admit(socket));
  }

  #admit(socket: Socket): void {
    const { limitKey, viaProxy } = clientAddress({
      socketAddress: socket.remoteAddress,
      forwardedFor: null,
      trustedProxies: this.trustedProxies,
    });
    if (viaProxy) return;
    const open = (this.#open.get(limitKey) ?? 0) + 1;
    this.#open.set(limitKey, open);
    socket.once("close", () => this.#forget(limitKey));
    if (open > this.limit) socket.end(this.#refusal(), () => socket.destroy());
  }

  #forget(limitKey: string): void {
    const open = (this.#open.get(limitKey) ?? 1) - 1;
    if (open > 0) this.#open.set(limitKey, open);
    else this.#open.delete(limitKey);
  }

  #refusal(): string {
    const message = `This address has ${this.limit} connections open, which is as many as it may. Close some, or use them again.`;
    return rawRefusal(429, new ServiceError("RATE_LIMITED", message, {}, { "Retry-After": "1" }));
  }
}
