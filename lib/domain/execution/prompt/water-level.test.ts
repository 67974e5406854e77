import { expect, test } from "vitest";
import { unspoken, waterLevel } from "@/lib/domain/execution/prompt/compact-context";

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

const plain = { redact: (text: string) => text };

test("what stands for a summary keeps the one before it, and bounds many small records", () => {
  const before = `Summary of what came before:\n${"A fact that is needed. ".repeat(160)}`;
  const long = Array.from({ length: 60 }, (_, at) => `It gave: ${at} ${"x".repeat(2_000)}`);
  const text = unspoken([before, ...long], plain, 100_000);
  expect(text.startsWith(before)).toBe(true);
  expect(text).toContain(" records left out …]");
  expect(text).toContain("It gave: 59 ");
  expect(text.length).toBeLessThan(9_000);

  const small = Array.from({ length: 300 }, (_, at) => `It gave: ${at} ${"x".repeat(300)}`);
  expect(unspoken(["The task: {}", ...small], plain, 100_000).length).toBeLessThan(9_000);
});

test("what stands for a summary fits a small window, whatever its signs", () => {
  const pieces = ["The task: {}", ...Array.from({ length: 50 }, () => "天".repeat(900))];
  expect(unspoken(pieces, plain, 4_000).length).toBeLessThan(2_600);
  expect(unspoken(["The task: {}"], plain, 4_000)).toBe("The task: {}");
});
