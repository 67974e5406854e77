import "server-only";
import { connectionRedirectUri } from "@/lib/domain/connections/connection-store";
import { isLoopbackHost } from "@/lib/model/loopback-host";
import { configuredBaseUrl } from "@/lib/platform/public-base-url";

const PATH = "/client-metadata.json";

/**
 * The address of this service's own metadata document, by which authorization servers know it as a
 * client (client ID metadata documents); null where the operator names no public https address.
 */
export function clientDocumentUrl(): string | null {
  const base = configuredBaseUrl();
  if (base === null || !URL.canParse(base)) return null;
  const { protocol, hostname } = new URL(base);
  return protocol === "https:" && !isLoopbackHost(hostname) ? base + PATH : null;
}

/** What stands at `clientDocumentUrl`; null where nothing does. */
export function clientDocument(): Record<string, unknown> | null {
  const url = clientDocumentUrl();
  if (url === null) return null;
  return {
    client_id: url,
    client_name: "lathe",
    client_uri: configuredBaseUrl(),
    redirect_uris: [connectionRedirectUri()],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "web",
  };
}
