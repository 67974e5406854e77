/**
 * Where to go after signing in: a path of this very site, whatever the address bar was made to say;
 * else the overview.
 */
export function toReturnPath(target: unknown): string {
  if (typeof target !== "string" || target.length > 2000) return "/";
  const base = "http://console.invalid";
  // Parsed as a browser will: it drops tabs and line ends and reads a backslash as a slash.
  const url = URL.canParse(target, base) ? new URL(target, base) : null;
  if (!target.startsWith("/") || url?.origin !== base || url.pathname.startsWith("//")) return "/";
  return url.pathname.startsWith("/sign-") ? "/" : url.pathname + url.search + url.hash;
}
