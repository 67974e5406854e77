import { expect, it } from "vitest";
import { turnedProfile } from "@/components/brand/turned-part";

it("draws the same part for the same seed and another for another", () => {
  expect(turnedProfile("a")).toBe(turnedProfile("a"));
  expect(turnedProfile("a")).not.toBe(turnedProfile("b"));
});

it("stays inside its box, whatever the seed", () => {
  for (let index = 0; index < 500; index += 1) {
    const path = turnedProfile(`seed-${index}`);
    expect(path).not.toContain("NaN");
    for (const number of path.match(/-?\d+(\.\d+)?/g) ?? []) {
      expect(Number(number)).toBeGreaterThanOrEqual(-3);
      expect(Number(number)).toBeLessThanOrEqual(64);
    }
  }
});
