import "server-only";
import type { EgressMethod, EgressReach } from "./open-egress";

/** What every kind of outgoing call is given. Times in milliseconds. */
export type EgressRequest = EgressReach & {
  /** Default `GET`. */
  method?: EgressMethod;
  /** What belongs to the connection (`Host`, `Content-Length`, …) is ignored. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** The caller's own end of the call; its reason is what is thrown. */
  signal?: AbortSignal | undefined;
  timeoutMs: number;
  maxResponseBytes: number;
  /** How many redirects to follow; default 0: the redirect is the answer. */
  followRedirects?: number;
  /** Whether a redirect to another origin may be followed; one that may not is the answer. Default: any. */
  mayFollow?: ((url: URL) => boolean) | undefined;
};
