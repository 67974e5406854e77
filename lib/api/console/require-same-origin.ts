import "server-only";
import { isIP } from "node:net";
import type { ApiRequest } from "@/lib/api/http/request";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { isLoopbackHost } from "@/lib/model/loopback-host";

/**
 * What a person reads who is refused: mostly somebody who opened the console at an address that
 * nobody set.
 */
export const FOREIGN_ORIGIN =
  "This request did not come from the console's own pages. Open the console at the address " +
  "that it is set up under (PUBLIC_URL) and try again.";

/**
 * Lets through what the console's own pages sent: the `Origin` is compared whole (scheme, host,
 * port) with the addresses that the service is set up under. Browsers put an `Origin` on every
 * request that may change something, so one without it is refused too.
 * @throws ServiceError AUTHENTICATION_REQUIRED for a request that another site made the browser
 * send
 */
export function requireSameOrigin(request: ApiRequest): void {
  if (isOwnOrigin(request)) return;
  throw new ServiceError("AUTHENTICATION_REQUIRED", FOREIGN_ORIGIN);
}

/** Whether the request's `Origin` is an address of this console. */
export function isOwnOrigin(request: ApiRequest): boolean {
  const origin = request.headers.get("origin");
  if (!origin) return false;
  const configured = configuredOrigins();
  if (configured.includes(origin)) return true;
  // `npm start` takes http://localhost:PORT for itself when nobody set an address.
  return (
    configured.every((address) => isLoopbackHost(new URL(address).hostname)) &&
    isDirectAddress(origin) &&
    origin === requestOrigin(request)
  );
}

/** The sign-in page at the address that the service is set up under. */
export function ownSignInPage(): string {
  return `${configuredOrigins()[0] ?? `http://localhost:${env().PORT}`}/sign-in`;
}

function configuredOrigins(): string[] {
  const { PUBLIC_URL, NEXTAUTH_URL } = env();
  return [PUBLIC_URL, NEXTAUTH_URL]
    .filter((address) => URL.canParse(address))
    .map((address) => new URL(address).origin);
}

/**
 * `localhost` or an IP address: what a person types who has set no address. A name is not believed
 * even where `Host` says the same, for whoever owns a name can point it at 127.0.0.1 after his page
 * was loaded (DNS rebinding).
 */
function isDirectAddress(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return hostname === "localhost" || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
}

/**
 * The scheme is the listener's, or what a trusted proxy said (`writeClientHeaders` removes what
 * others say).
 */
function requestOrigin(request: ApiRequest): string | null {
  const scheme = request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim() || "http";
  const address = `${scheme}://${request.headers.get("host")}`;
  return URL.canParse(address) ? new URL(address).origin : null;
}
