import "server-only";

/**
 * Whether a door is open on the host that a request names. `own` and `other` are `API_BASE_HOST` and `APP_BASE_HOST` as `name` or `name:port`, empty when
 * not set. A door with a host of its own is open on that one only; one without is closed on the other door's host.
 */
export function isOwnHost(host: string, own: string, other: string): boolean {
  if (own !== "") return isSame(host, own);
  return other === "" || !isSame(host, other);
}

/** A setting without a port fits every port. */
function isSame(host: string, setting: string): boolean {
  const called = host
    .trim()
    .toLowerCase()
    .replace(/\.(?=:|$)/, "");
  const wanted = setting.trim().toLowerCase();
  return called === wanted || (!/:\d+$/.test(wanted) && called.replace(/:\d+$/, "") === wanted);
}

/** Whether a `Host` is a name or an address with at most a port: nothing that would end the host's part of a URL and begin another. */
export function isPlainHost(host: string): boolean {
  return /^[A-Za-z0-9._:[\]-]+$/.test(host) && URL.canParse(`http://${host}`);
}
