import "server-only";
import { BlockList, isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** IANA's special-purpose IPv4 blocks, multicast and class E, and the one public address that is a cloud's inside door. */
const CLOSED_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32",
].map((cidr) => ipaddr.IPv4.parseCIDR(cidr));

/** IPv6 is the other way round: only global unicast is open, less the blocks in it that carry IPv4 inside or lead nowhere. */
const OPEN_V6 = ipaddr.IPv6.parseCIDR("2000::/3");
const CLOSED_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"].map((cidr) => ipaddr.IPv6.parseCIDR(cidr));

/**
 * Whether an IP address in text form may be connected to on behalf of a user. Only plain, complete forms count: dotted
 * decimal for IPv4, no brackets and no zone for IPv6. Everything else, a host name too, is `false`.
 *
 * IPv4 inside IPv6 (mapped, compatible, 6to4, Teredo, NAT64) is refused whatever it holds: a name that needs it is not public.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) {
    const address = ipaddr.IPv4.parse(ip);
    return !CLOSED_V4.some((block) => address.match(block));
  }
  if (!isIPv6(ip) || ip.includes("%")) return false;
  const address = ipaddr.IPv6.parse(ip);
  return address.match(OPEN_V6) && !CLOSED_V6.some((block) => address.match(block));
}

/** Whether an IP address lies in one of these ranges (`address/bits`). A text that is no address lies in all of them. */
export function isInRanges(ip: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return false;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits = ""] = range.split("/");
    list.addSubnet(address, Number(bits), isIPv4(address) ? "ipv4" : "ipv6");
  }
  return isIPv4(ip) || isIPv6(ip) ? list.check(ip, isIPv4(ip) ? "ipv4" : "ipv6") : true;
}
