import "server-only";
import type { ApiRequest } from "@/lib/api/http/api-request";

// Written by the listener (lib/server) on each request; a header that a client sent under one of these names never reaches a reader.

/** What the client's address is counted by. */
export const CLIENT_ADDRESS_HEADER = "x-lathe-client-address";

/** What limits by address count a request under. */
export function clientAddressOf(request: ApiRequest): string {
  return request.headers.get(CLIENT_ADDRESS_HEADER) ?? "unknown";
}

/** The path that was asked for, for the way back from the sign-in page. */
export const REQUEST_PATH_HEADER = "x-lathe-path";

/** The whole address, where the one above is cut to what limits count by (of IPv6 the /64); stamped likewise. */
export const CLIENT_IP_HEADER = "x-lathe-client-ip";
