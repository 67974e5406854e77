import "server-only";

/** The client's address, stamped by the listener (see `stamp-client-address.ts`); a header that a client sent never reaches this. */
export const CLIENT_ADDRESS_HEADER = "x-lathe-client-address";

/** What limits by address count a request under. */
export function clientAddressOf(request: Request): string {
  return request.headers.get(CLIENT_ADDRESS_HEADER) ?? "unknown";
}

/** The whole address, where the one above is cut to what limits count by (of IPv6 the /64); stamped likewise. */
export const CLIENT_IP_HEADER = "x-lathe-client-ip";
