import { readAllowedHost } from "./allowed-host";

/** What decides where a secret may go. */
export interface SecretTravel {
  /** Empty only in secrets of before hosts were asked for. */
  allowedHosts: readonly string[];
  /** The connector that names the secret, as its owner wrote it. */
  connectorUrl: string;
  /** Whether the operator has exempted this very target, for development. */
  isExempt: boolean;
}

/**
 * Why a secret may not go to a URL; null when it may. It travels over https alone, to one of its hosts, and there to the usual port unless the entry names
 * another. A secret without hosts goes only to the origin of the connector that names it.
 */
export function travelProblem(url: URL, { allowedHosts, connectorUrl, isExempt }: SecretTravel): string | null {
  if (url.protocol !== "https:" && !isExempt) return "secrets travel over https only";
  if (allowedHosts.length === 0) {
    const isOwn = URL.canParse(connectorUrl) && new URL(connectorUrl).origin === url.origin;
    return isOwn ? null : "it belongs to its connector's own host";
  }
  const isAllowed = allowedHosts.some((text) => {
    const allowed = readAllowedHost(text);
    if (allowed === null || allowed.host !== url.hostname) return false;
    return allowed.port === null ? url.port === "" : allowed.port === Number(url.port || (url.protocol === "https:" ? 443 : 80));
  });
  return isAllowed ? null : `its allowed_hosts are ${allowedHosts.join(", ")}`;
}
