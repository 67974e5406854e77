import "server-only";
import { isIP } from "node:net";
import { checkUrl } from "./check-url";
import { EgressFailed } from "./egress-failed";
import { type EgressLookup, lookupAllowedName, lookupPublicName } from "./egress-lookup";
import { EgressRefused } from "./egress-refused";
import { isAllowedTarget } from "./is-allowed-target";
import { isInRanges, isPublicAddress } from "./public-address";

/** More answers than this are a flood, not a service. */
const MAX_ADDRESSES = 16;

/**
 * The addresses that a connection for `url` may go to, each of them checked: the literal in it, or what its name resolves to now.
 * One address that is not public spoils the whole answer.
 *
 * @throws EgressRefused when the text or an address is not permitted.
 * @throws EgressFailed `unreachable` when the name does not resolve.
 */
export async function resolveTarget(
  url: URL,
  options: { allow: readonly string[]; deny?: readonly string[] | undefined; signal: AbortSignal; lookup?: EgressLookup | undefined },
): Promise<string[]> {
  const checked = checkUrl(url.href, { allow: options.allow });
  if (!checked.ok) throw new EgressRefused();
  const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
  const allowed = isAllowedTarget(url, options.allow);
  const isClosed = (address: string) => !allowed && (!isPublicAddress(address) || isInRanges(address, options.deny ?? []));
  if (isIP(host) !== 0) {
    if (isClosed(host)) throw new EgressRefused();
    return [host];
  }
  const lookup = options.lookup ?? (allowed ? lookupAllowedName : lookupPublicName);
  const addresses = await lookup(host.replace(/\.$/, ""), options.signal);
  if (addresses.length === 0) throw new EgressFailed("unreachable");
  if (addresses.some(isClosed)) throw new EgressRefused();
  return addresses.slice(0, MAX_ADDRESSES);
}
