import { isLoopbackHost } from "@/lib/model/loopback-host";

/** What its text begins with. */
export const CLIENT_TOKEN_PREFIX = "client_";

/** What a client token may be good for. */
export const CLIENT_POWERS = ["run", "read", "message", "cancel", "approve"] as const;
export type ClientPower = (typeof CLIENT_POWERS)[number];

export const CLIENT_TOKEN_MAX_SECONDS = 3_600;
export const CLIENT_TOKEN_DEFAULT_SECONDS = 600;
export const CLIENT_ORIGINS_MAX = 8;
export const CLIENT_ORIGIN_MAX_CHARACTERS = 200;

/**
 * Of one person with one agent, however many tokens they hold: what a page that has gone wrong, or
 * a person who has taken the token out of it, cannot spend of their account's budgets.
 */
export const CLIENT_REQUESTS_PER_MINUTE = 120;
export const CLIENT_RUNS_PER_MINUTE = 20;
export const CLIENT_STREAMS_MAX = 6;

/**
 * Whether a text is an origin as browsers send it: scheme, host and port alone. Without TLS whoever
 * is on the way reads the token, so `http` is for pages on this machine.
 */
export function isClientOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  if (origin !== text || hostname.includes("*")) return false;
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}
