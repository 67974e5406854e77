import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { parseTrustedProxies } from "@/lib/server/address-limits";
import { writeClientHeaders } from "@/lib/server/listener";

function written(remoteAddress: string, trusted: string[], sent: Record<string, string> = {}) {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: remoteAddress });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, { host: "a", ...sent });
  request.url = "/agents?x=1";
  return {
    client: writeClientHeaders(request, parseTrustedProxies(trusted)),
    headers: request.headers,
  };
}

const CLAIMS = {
  "x-forwarded-for": "9.9.9.9",
  "x-forwarded-host": "evil.example",
  "x-real-ip": "9.9.9.9",
  forwarded: "for=9.9.9.9",
  "x-lathe-client-address": "9.9.9.9",
  "x-lathe-client-ip": "9.9.9.9",
  "x-lathe-path": "/elsewhere",
  "x-lathe-forwarded": "0",
};

test("what a client says about its address is replaced by the socket's", () => {
  const { client, headers } = written("::ffff:203.0.113.7", [], CLAIMS);
  expect(client).toEqual({ address: "203.0.113.7", limitKey: "203.0.113.7", viaProxy: false });
  expect(headers).toEqual({
    host: "a",
    "x-forwarded-for": "203.0.113.7",
    "x-lathe-forwarded": "1",
    "x-lathe-client-address": "203.0.113.7",
    "x-lathe-client-ip": "203.0.113.7",
    "x-lathe-path": "/agents?x=1",
  });
});

test("a trusted proxy, by address or range, is believed; nobody else is", () => {
  for (const address of ["10.2.3.4", "::ffff:10.2.3.4", "::1"]) {
    const { client, headers } = written(address, ["10.0.0.0/8", "::1"], CLAIMS);
    expect([client.limitKey, headers["x-forwarded-for"], headers["x-forwarded-host"]]).toEqual([
      "9.9.9.9",
      "9.9.9.9",
      "evil.example",
    ]);
    expect(headers["x-lathe-client-address"]).toBe("9.9.9.9");
  }
  expect(written("11.0.0.1", ["10.0.0.0/8"], CLAIMS).client.limitKey).toBe("11.0.0.1");
});

test("a host that is none is not handed on, by a proxy either", () => {
  expect(
    written("10.0.0.1", ["10.0.0.1"], { "x-forwarded-host": "x/v1/account#" }).headers[
      "x-forwarded-host"
    ],
  ).toBeUndefined();
});

test("a request with any proxy's header is marked, wherever from, by nobody else", () => {
  for (const name of [
    "x-forwarded-for",
    "x-forwarded-proto",
    "x-forwarded-server",
    "forwarded",
    "via",
    "x-real-ip",
    "cf-connecting-ip",
  ])
    for (const trusted of [[], ["127.0.0.1"]])
      expect(
        written("127.0.0.1", trusted, { [name]: "127.0.0.1" }).headers["x-lathe-forwarded"],
        name,
      ).toBe("1");
  expect(written("127.0.0.1", [], { "x-lathe-forwarded": "1" }).headers).not.toHaveProperty(
    "x-lathe-forwarded",
  );
});
