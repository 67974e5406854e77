import "server-only";
import { env } from "@/lib/env";
import { withoutTrailingSlashes } from "@/lib/model/text/trim";

/**
 * Scheme and host that the operator says the service is reached under, without a slash at the end;
 * null where nothing is set.
 */
export function configuredBaseUrl(): string | null {
  const { PUBLIC_URL, NEXTAUTH_URL } = env();
  return withoutTrailingSlashes(PUBLIC_URL || NEXTAUTH_URL) || null;
}

/**
 * Where people and programs reach the service, without a slash at the end: what the operator says,
 * else the host that was called, else this machine's own name.
 * @param calledHost of the request that is answered; the caller has looked that it is a plain host
 */
export function publicBaseUrl(calledHost?: string): string {
  return configuredBaseUrl() ?? `http://${calledHost ?? `localhost:${env().PORT}`}`;
}

/** Whether an address leads to this machine alone. */
export function isLoopback(address: string): boolean {
  return (
    URL.canParse(address) &&
    /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(address).hostname)
  );
}

/** Whether the service listens where other machines reach it, by what the operator says. */
export function isReachedFromElsewhere(): boolean {
  const host = env().HOST || "127.0.0.1";
  return !isLoopback(`http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}`);
}
