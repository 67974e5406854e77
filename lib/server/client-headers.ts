import "server-only";
import type { IncomingMessage } from "node:http";
import { CLIENT_ADDRESS_HEADER, CLIENT_IP_HEADER, REQUEST_PATH_HEADER } from "@/lib/api/http/client-address-header";
import { isPlainHost } from "@/lib/api/http/is-own-host";
import { type ClientAddress, clientAddress, type TrustedProxies } from "@/lib/platform/client-address";

const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto", "x-real-ip"];

/**
 * Makes a request's headers say who it comes from, for whatever reads them later: our own headers are written over whatever a client sent under their
 * names, and what it says about its address is replaced by the socket's unless the connection is a trusted proxy's (Next would believe the client).
 */
export function writeClientHeaders(request: IncomingMessage, trustedProxies: TrustedProxies): ClientAddress {
  const { headers } = request;
  const forwardedFor = [headers["x-forwarded-for"] ?? ""].flat().join(",");
  const client = clientAddress({ socketAddress: request.socket.remoteAddress, forwardedFor, trustedProxies });
  if (!client.viaProxy) {
    for (const name of FORWARDED) delete headers[name];
    headers["x-forwarded-for"] = client.address;
  } else if (!isPlainHost(String(headers["x-forwarded-host"] ?? "plain"))) {
    // Most proxies hand on what the client wrote there.
    delete headers["x-forwarded-host"];
  }
  headers[CLIENT_ADDRESS_HEADER] = client.limitKey;
  headers[CLIENT_IP_HEADER] = client.address;
  headers[REQUEST_PATH_HEADER] = request.url ?? "/";
  return client;
}
