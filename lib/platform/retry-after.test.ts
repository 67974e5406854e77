import { expect, test } from "vitest";
import { retryAfterMs } from "@/lib/platform/retry-after";

const now = new Date("2026-03-04T12:00:00Z");

test.each([
  ["7", 7_000],
  [" 0 ", 0],
  ["1.5", 1_500],
  ["Wed, 04 Mar 2026 12:01:30 GMT", 90_000],
  ["Wednesday, 04-Mar-26 12:01:30 GMT", 90_000],
  ["Wed, 04 Mar 2026 11:59:00 GMT", 0],
])("%s asks for %i ms", (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms);
});

test.each([
  null,
  undefined,
  "",
  "soon",
  "-3",
  "1e3",
  "0x10",
  "Infinity",
  "99999999999999999999",
  "2026-03-04T12:01:30Z",
  "2027-01-01",
])("%s asks for nothing that can be understood", (header) => {
  expect(retryAfterMs(header, now)).toBe(null);
});
