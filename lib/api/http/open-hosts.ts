import "server-only";
import { isOwnHost, isSameHost } from "@/lib/api/http/request";
import { env } from "@/lib/env";
import { isLoopbackHost } from "@/lib/model/loopback-host";

/** Whether `/v1`, and what else takes account keys, is open on the host that a request names. */
export function isAccountHost(host: string): boolean {
  return isOwnHost(host, env().API_BASE_HOST, env().APP_BASE_HOST);
}

/**
 * Whether the app-scoped path, and what else takes app keys, is open on the host that a request
 * names.
 */
export function isAppHost(host: string): boolean {
  return isOwnHost(host, env().APP_BASE_HOST, env().API_BASE_HOST);
}

/**
 * Whether it is one of the names that the public knows, where the surfaces have names of their own:
 * what is the operator's alone is then asked for by an address behind the proxy. Without such names
 * nothing tells the operator's from the public's.
 */
export function isPublicHost(host: string): boolean {
  const { API_BASE_HOST, APP_BASE_HOST, PUBLIC_URL } = env();
  const named = [API_BASE_HOST, APP_BASE_HOST].filter((name) => name !== "");
  if (named.length === 0) return false;
  const console = URL.canParse(PUBLIC_URL) ? new URL(PUBLIC_URL) : null;
  const isOnNetwork = console !== null && !isLoopbackHost(console.hostname);
  return [...named, ...(isOnNetwork ? [console.hostname] : [])].some((name) =>
    isSameHost(host, name),
  );
}

/** The host that a request names. */
export function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}
