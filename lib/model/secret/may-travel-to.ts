import { readAllowedHost } from "./allowed-host";

/**
 * Whether a secret may go to a URL: to one of `allowedHosts`, or, without any, only to the host of the connector that names the secret
 * (`connectorUrl`), at the connector's port and by its scheme.
 */
export function mayTravelTo(url: URL, allowedHosts: readonly string[], connectorUrl: string): boolean {
  if (allowedHosts.length === 0) return URL.canParse(connectorUrl) && new URL(connectorUrl).origin === url.origin;
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  return allowedHosts.some((text) => {
    const allowed = readAllowedHost(text);
    return allowed !== null && allowed.host === url.hostname && (allowed.port === null || allowed.port === port);
  });
}
