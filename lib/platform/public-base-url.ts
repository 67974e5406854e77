import "server-only";
import { env } from "@/lib/env";
import { withoutTrailingSlashes } from "@/lib/model/text/trim";

/** Scheme and host that the operator says the service is reached under, without a slash at the end; null where nothing is set. */
export function configuredBaseUrl(): string | null {
  const { PUBLIC_URL, NEXTAUTH_URL } = env();
  return withoutTrailingSlashes(PUBLIC_URL || NEXTAUTH_URL) || null;
}

/**
 * Where people and programs reach the service, without a slash at the end: what the operator says, else the host that was called, else this machine's own name.
 * @param calledHost of the request that is answered; the caller has looked that it is a plain host
 */
export function publicBaseUrl(calledHost?: string): string {
  return configuredBaseUrl() ?? `http://${calledHost ?? `localhost:${env().PORT}`}`;
}
