import "server-only";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { CLIENT_ADDRESS_HEADER, CLIENT_IP_HEADER } from "@/lib/api/http/client-address-header";
import { env } from "@/lib/env";
import { clientAddress, parseTrustedProxies } from "@/lib/platform/client-address";
import { once } from "@/lib/platform/once";

/**
 * Writes the client's address into a header of our own on every request of this process, before any handler sees it, whichever server listens
 * (`npm start`'s or `next start`). What a client sends under that name is overwritten, so no header gets around a limit by address.
 */
export function stampClientAddress(): void {
  once("client-address-stamp", () => {
    subscribe("http.server.request.start", (message) => stamp((message as { request: IncomingMessage }).request)); // Node's documented payload
    return true;
  });
}

/** The path that was asked for, for the way back from the sign-in page. */
export const REQUEST_PATH_HEADER = "x-lathe-path";

function stamp(request: IncomingMessage): void {
  request.headers[REQUEST_PATH_HEADER] = request.url ?? "/";
  const trustedProxies = once("trusted-proxies", () => parseTrustedProxies(env().TRUSTED_PROXIES));
  const forwardedFor = [request.headers["x-forwarded-for"] ?? ""].flat().join(",");
  const { address, limitKey } = clientAddress({ socketAddress: request.socket.remoteAddress, forwardedFor, trustedProxies });
  request.headers[CLIENT_ADDRESS_HEADER] = limitKey;
  request.headers[CLIENT_IP_HEADER] = address;
}
