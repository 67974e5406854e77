/** A place that a secret may travel to; `port` null stands for the usual one of https. */
export interface AllowedHost {
  host: string;
  port: number | null;
}

const ENTRY = /^(\[[0-9a-f:.]{2,45}\]|[^\s:/?#@[\]\\%*]{1,253})(?::(\d{1,5}))?$/iu;

/** Reads an entry of `allowed_hosts`: `host` or `host:port`, IPv6 in brackets. Null when it is neither. Names come back as browsers write them. */
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
