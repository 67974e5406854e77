import { expect, test } from "vitest";
import { parseDelay } from "@/lib/engine/embedded/parse-delay";

test.each([
  ["", 0],
  ["1s", 1_000],
  ["1w2d3h4m5s", 604_800_000 + 2 * 86_400_000 + 3 * 3_600_000 + 4 * 60_000 + 5_000],
  ["30", 30_000],
  ["0.5", 500],
])("%j is %d ms", (text, ms) => expect(parseDelay(text)).toBe(ms));

test("a time is as far away as it lies ahead, and a past one is not negative", () => {
  expect(parseDelay("2030-01-01T00:00:10.000Z", Date.parse("2030-01-01T00:00:00.000Z"))).toBe(10_000);
  expect(parseDelay("2020-01-01T00:00:00.000Z")).toBe(0);
});

test.each(["soon", "1y", "5 minutes", "-1s"])("%j is refused", (text) => expect(() => parseDelay(text)).toThrow(text));
