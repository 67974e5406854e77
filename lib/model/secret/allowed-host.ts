/** A place that a secret may travel to; `port` null stands for the usual one of https. */
interface AllowedHost {
  host: string;
  port: number | null;
}

const ENTRY = /^(\[[0-9a-f:.]{2,45}\]|[^\s:/?#@[\]\\%*]{1,253})(?::(\d{1,5}))?$/iu;

/**
 * Reads an entry of `allowed_hosts`: `host` or `host:port`, IPv6 in brackets. Null when it is
 * neither. Names come back as browsers write them.
 */
export function readAllowedHost(text: string): AllowedHost | null {
  const [, host, digits] = ENTRY.exec(text) ?? [];
  if (host === undefined || !URL.canParse(`http://${host}/`)) return null;
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  const url = new URL(`http://${host}/`);
  return url.pathname === "/" && url.hostname !== "" ? { host: url.hostname, port } : null;
}

/** The entry in its one spelling. */
export function allowedHostText({ host, port }: AllowedHost): string {
  return port === null ? host : `${host}:${port}`;
}

/** What decides where a secret may go. */
interface SecretTravel {
  /** Empty only in secrets of before hosts were asked for. */
  allowedHosts: readonly string[];
  /** The connector that names the secret, as its owner wrote it. */
  connectorUrl: string;
  /** Whether the operator has exempted this very target, for development. */
  isExempt: boolean;
}

/**
 * Why a secret may not go to a URL; null when it may. It travels over https alone, to one of its
 * hosts, and there to the usual port unless the entry names another. A secret without hosts goes
 * only to the origin of the connector that names it.
 */
export function travelProblem(
  url: URL,
  { allowedHosts, connectorUrl, isExempt }: SecretTravel,
): string | null {
  if (url.protocol !== "https:" && !isExempt) return "secrets travel over https only";
  if (allowedHosts.length === 0) {
    const isOwn = URL.canParse(connectorUrl) && new URL(connectorUrl).origin === url.origin;
    return isOwn ? null : "it belongs to its connector's own host";
  }
  const isAllowed = allowedHosts.some((text) => {
    const allowed = readAllowedHost(text);
    if (allowed === null || allowed.host !== url.hostname) return false;
    return allowed.port === null
      ? url.port === ""
      : allowed.port === Number(url.port || (url.protocol === "https:" ? 443 : 80));
  });
  return isAllowed ? null : `its allowed_hosts are ${allowedHosts.join(", ")}`;
}

/** What a secret's name may be. */
export const SECRET_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;
/** Largest value, in bytes of UTF-8. */
export const SECRET_VALUE_MAX_BYTES = 65_536;
export const SECRET_MAX_ALLOWED_HOSTS = 50;
/**
 * The most bytes of an account's values together: each tool result is searched for all of them in
 * many spellings.
 */
export const SECRETS_MAX_BYTES = 393_216;
/** Of one person, beside the account's. */
export const END_USER_SECRETS_MAX = 50;
export const END_USER_SECRETS_MAX_BYTES = 131_072;
