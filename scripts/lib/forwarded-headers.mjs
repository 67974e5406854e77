import { BlockList, isIP } from "node:net";

const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto", "x-real-ip"];

/**
 * Returns `clean(request)`, which removes what a client says about its own address and puts the socket's in `x-forwarded-for`,
 * unless the connection comes from one of `trusted` (a comma list of addresses and `address/bits` ranges). Next would believe the client.
 */
export function forwardedHeaders(trusted) {
  const proxies = new BlockList();
  for (const entry of trusted
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)) {
    const [address, bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (isIP(address) === 0) continue;
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  return (request) => {
    const address = plainAddress(request.socket.remoteAddress ?? "");
    if (isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")) return;
    for (const name of FORWARDED) delete request.headers[name];
    if (address) request.headers["x-forwarded-for"] = address;
  };
}

/** An IPv4 client of a socket that listens on both families shows as `::ffff:1.2.3.4`. */
function plainAddress(address) {
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
