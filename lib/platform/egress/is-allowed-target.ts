import "server-only";

/**
 * Whether the operator exempted this very host and port (`EGRESS_ALLOW`: entries `host:port`, IPv6 as `[::1]:8080`).
 * The name must match as named: an entry `127.0.0.1:80` does not open `localhost:80`. An entry that is no `host:port` opens nothing.
 */
export function isAllowedTarget(url: URL, allow: readonly string[]): boolean {
  if (allow.length === 0) return false;
  const target = `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
  return allow.some((entry) => canonicalEntry(entry) === target);
}

function canonicalEntry(entry: string): string | null {
  const text = `http://${entry.trim()}/`;
  const port = /:(\d{1,5})\/$/.exec(text)?.[1];
  if (port === undefined || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.pathname !== "/" || url.username !== "" || url.search !== "" || url.hash !== "") return null;
  return `${url.hostname}:${Number(port)}`;
}
