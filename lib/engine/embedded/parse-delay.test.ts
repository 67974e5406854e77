import { expect, test } from "vitest";
import { parseDelay } from "@/lib/engine/embedded/run-store";

test.each([
  ["", 0],
  ["1s", 1_000],
  ["1w2d3h4m5s", 604_800_000 + 2 * 86_400_000 + 3 * 3_600_000 + 4 * 60_000 + 5_000],
])("%j is %d ms", (text, ms) => expect(parseDelay(text)).toBe(ms));

test.each(["soon", "1y", "5 minutes", "-1s", "30", "2030-01-01T00:00:10.000Z"])(
  "%j is refused",
  (text) => expect(() => parseDelay(text)).toThrow(text),
);
