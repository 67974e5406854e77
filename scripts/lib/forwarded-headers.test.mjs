import { expect, test } from "vitest";
import { forwardedHeaders } from "./forwarded-headers.mjs";

const request = (remoteAddress) => ({
  socket: { remoteAddress },
  headers: {
    host: "a",
    "x-forwarded-for": "9.9.9.9",
    "x-forwarded-host": "evil.example",
    "x-real-ip": "9.9.9.9",
    forwarded: "for=9.9.9.9",
  },
});

test("what a client says about its address is replaced by the socket's", () => {
  const incoming = request("::ffff:203.0.113.7");
  forwardedHeaders("")(incoming);
  expect(incoming.headers).toEqual({ host: "a", "x-forwarded-for": "203.0.113.7" });
});

test("a trusted proxy, by address or range, is believed", () => {
  const clean = forwardedHeaders("10.0.0.0/8, ::1,not an address");
  for (const address of ["10.2.3.4", "::ffff:10.2.3.4", "::1"]) {
    const incoming = request(address);
    clean(incoming);
    expect(incoming.headers["x-forwarded-for"]).toBe("9.9.9.9");
  }
  const stranger = request("11.0.0.1");
  clean(stranger);
  expect(stranger.headers["x-forwarded-for"]).toBe("11.0.0.1");
});
