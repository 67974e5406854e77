import "server-only";
import { Resolver, lookup as systemLookup } from "node:dns/promises";

/** Resolves a host name to addresses in text form; empty when the name does not resolve. Rejects only when `signal` aborts. */
export type EgressLookup = (hostname: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Asks the name servers directly for the names that users give: the operating system's resolver would occupy one of the few threads
 * that also serve the disk, so a handful of slow names could stall the process; and it would read the machine's own host file.
 */
export const lookupPublicName: EgressLookup = async (hostname, signal) => {
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
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

/** For targets that the operator exempted by name: the machine's own resolver, so that `localhost` and container names work. */
export const lookupAllowedName: EgressLookup = async (hostname, signal) => {
  const answers = await systemLookup(hostname, { all: true }).catch(() => []);
  signal.throwIfAborted();
  return answers.map((answer) => answer.address);
};
