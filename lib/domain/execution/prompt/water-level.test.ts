import { expect, test } from "vitest";
import { waterLevel } from "@/lib/domain/execution/prompt/compact-context";

test.each([
  ["all fit", [10, 20], 30, Number.POSITIVE_INFINITY],
  ["all are as long", [100, 100], 50, 25],
  ["short ones leave theirs to a long one", [1, 1, 1, 100], 43, 40],
  ["there is none", [], 10, Number.POSITIVE_INFINITY],
])("the most that a piece may have where %s", (_, lengths, characters, level) => {
  const pieces = lengths.map((length) => "x".repeat(length));
  expect(waterLevel(pieces, characters)).toBe(level);
});

test("what is cut to the level has all of the room and no more", () => {
  const pieces = [3, 900, 14, 2_000, 77].map((length) => "x".repeat(length));
  const level = waterLevel(pieces, 1_000);
  const total = pieces.reduce((sum, { length }) => sum + Math.min(length, level), 0);
  expect(total).toBeLessThanOrEqual(1_000);
  expect(total).toBeGreaterThan(1_000 - pieces.length);
});
