import "server-only";
import { EgressFailed } from "./egress-failed";
import type { EgressLookup } from "./egress-lookup";
import { EgressRefused } from "./egress-refused";
import { resolveTarget } from "./resolve-target";

const DEFAULT_LOOKUP_MS = 2000;

/**
 * Guards the acceptance of a URL for later use (a webhook): resolves its name and lets it pass only when every address is public.
 * A name that does not resolve, or not within `timeoutMs` (2,000), passes: the connection is checked again when it is made.
 *
 * @throws EgressRefused when the target is not public.
 */
export async function requirePublicTarget(
  url: URL,
  options: {
    allow?: readonly string[];
    deny?: readonly string[] | undefined;
    lookup?: EgressLookup | undefined;
    timeoutMs?: number;
    signal?: AbortSignal;
  } = {},
): Promise<void> {
  options.signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_LOOKUP_MS);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  try {
    await Promise.race([
      resolveTarget(url, { allow: options.allow ?? [], deny: options.deny, lookup: options.lookup, signal }),
      aborted(signal),
    ]);
  } catch (error) {
    if (error instanceof EgressRefused) throw error;
    options.signal?.throwIfAborted();
    if (timeout.aborted || error instanceof EgressFailed) return;
    throw error;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}
