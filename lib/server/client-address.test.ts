import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clientAddress, parseTrustedProxies } from "@/lib/server/address-limits";

const trustedProxies = parseTrustedProxies(["10.0.0.0/8", "192.0.2.7", "2001:db8:aa::/48"]);
const from = (socketAddress: string | undefined, forwardedFor: string | null = null) =>
  clientAddress({ socketAddress, forwardedFor, trustedProxies });

describe("clientAddress", () => {
  it.each([
    ["the socket's, without a header", "198.51.100.1", null, "198.51.100.1"],
    [
      "the socket's, whatever a client that is no proxy writes",
      "198.51.100.1",
      "203.0.113.9",
      "198.51.100.1",
    ],
    ["what a trusted proxy says", "10.1.2.3", "203.0.113.9", "203.0.113.9"],
    [
      "what the last proxy says, not what the client wrote before it",
      "10.1.2.3",
      "1.1.1.1, 8.8.8.8, 203.0.113.9",
      "203.0.113.9",
    ],
    [
      "the first that is no proxy, from the right, through several",
      "10.1.2.3",
      "1.1.1.1, 203.0.113.9, 192.0.2.7, 2001:db8:aa::5",
      "203.0.113.9",
    ],
    ["the farthest, when all are proxies", "10.1.2.3", "10.0.0.1, 10.0.0.2", "10.0.0.1"],
    ["the proxy's, when the header is empty", "10.1.2.3", "", "10.1.2.3"],
    ["the proxy's, when the entry is nonsense", "10.1.2.3", "203.0.113.9, unknown", "10.1.2.3"],
    ["the last good one before nonsense", "10.1.2.3", "8.8.8.8, _hidden, 10.0.0.2", "10.0.0.2"],
    ["an address with a port", "10.1.2.3", "203.0.113.9:4711", "203.0.113.9"],
    ["an IPv6 address with a port", "10.1.2.3", "[2001:db8::1]:4711", "2001:db8::1"],
    ["IPv4 within IPv6 as IPv4", "::ffff:198.51.100.1", null, "198.51.100.1"],
    ["a proxy by IPv4 within IPv6", "::ffff:10.1.2.3", "::ffff:203.0.113.9", "203.0.113.9"],
    ["IPv6 in one spelling", "2001:0DB8:0:0:0:0:0:0001", null, "2001:db8::1"],
    ["IPv6 without its zone", "fe80::1%eth0", null, "fe80::1"],
    ["none, when the socket has none", undefined, "203.0.113.9", "unknown"],
  ])("is %s", (_, socket, header, address) => expect(from(socket, header).address).toBe(address));

  it("counts IPv6 by its /64 and IPv4 by itself", () => {
    expect(from("2001:db8:1:2:3:4:5:6").limitKey).toBe(from("2001:db8:1:2:ffff::1").limitKey);
    expect(from("2001:db8:1:2::1").limitKey).not.toBe(from("2001:db8:1:3::1").limitKey);
    expect(from("::ffff:198.51.100.1").limitKey).toBe("198.51.100.1");
    expect(from("198.51.100.1").limitKey).not.toBe(from("198.51.100.2").limitKey);
  });

  it("cannot be moved by any header of a client that is no proxy, and never throws", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (header) => void expect(from("198.51.100.1", header).limitKey).toBe("198.51.100.1"),
      ),
    );
    fc.assert(fc.property(fc.string(), fc.string(), (socket, header) => void from(socket, header)));
    fc.assert(
      fc.property(
        fc.string(),
        (header) =>
          void expect(from("10.0.0.1", `${header}, 203.0.113.9`).address).toBe("203.0.113.9"),
      ),
    );
  });
});

describe("parseTrustedProxies", () => {
  it("takes single addresses and blocks of both kinds", () => {
    expect(parseTrustedProxies(["127.0.0.1", "::1", "0.0.0.0/0", "::/0", "fd00::/8"])).toHaveLength(
      5,
    );
  });

  it("names the entry that is neither", () => {
    for (const entry of [
      "",
      "nginx",
      "10.0.0.0/33",
      "::/129",
      "10.0.0.0/",
      "10.0.0.0/-1",
      "10.0.0.0/8/8",
      "10.0.0/8",
      "10.0.0.1 ",
      "*",
    ]) {
      expect(() => parseTrustedProxies(["10.0.0.1", entry])).toThrow(`"${entry}"`);
    }
  });
});
