import "server-only";
import { Resolver, lookup as systemLookup } from "node:dns/promises";

/** Resolves a host name to addresses in text form; empty when the name does not resolve. Rejects only when `signal` aborts. */
export type EgressLookup = (hostname: string, signal: AbortSignal) => Promise<string[]>;

const QUERY_TIMEOUT_MS = 2000;
const QUERY_TRIES = 2;

/**
 * A lookup that asks name servers directly (those given, as `address:port`, else the machine's). The operating system's resolver would
 * occupy one of the few threads that also serve the disk, so a handful of slow names could stall the process; and it would read the
 * machine's own host file.
 */
export function createNameLookup(servers?: readonly string[]): EgressLookup {
  return async (hostname, signal) => {
    signal.throwIfAborted();
    // Reserved for names that do not exist (RFC 6761): nobody is asked.
    if (hostname.endsWith(".invalid")) return [];
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const stop = () => resolver.cancel();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      signal.throwIfAborted();
      return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    } finally {
      signal.removeEventListener("abort", stop);
    }
  };
}

/** For the names that users give. */
export const lookupPublicName: EgressLookup = createNameLookup();

/** For targets that the operator exempted by name: the machine's own resolver, so that `localhost` and container names work. */
export const lookupAllowedName: EgressLookup = async (hostname, signal) => {
  const answers = await systemLookup(hostname, { all: true }).catch(() => []);
  signal.throwIfAborted();
  return answers.map((answer) => answer.address);
};
