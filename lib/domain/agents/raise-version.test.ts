import { expect, test } from "vitest";
import { bumpVersion } from "@/lib/domain/builds/edit-agent";

test.each([
  ["1.0.0", "1.0.1"],
  ["1.4.9", "1.4.10"],
  ["2", "3"],
  ["v7", "v8"],
  ["9007199254740993", "9007199254740994"],
  ["summer", "summer.1"],
  ["1.0.0-beta", "1.0.0-beta.1"],
  ["line\n1.2", "line\n1.3"],
])("the last number of %j goes up: %j", (before, after) => {
  expect(bumpVersion(before)).toBe(after);
});

test("a raised version keeps within 64 characters, and no character of it is halved", () => {
  for (const version of [
    "x".repeat(64),
    "9".repeat(64),
    `${"x".repeat(62)}.9`,
    "🌍".repeat(64),
    `x${"🌍".repeat(63)}`,
    `x${"🌍".repeat(31)}`,
  ]) {
    expect([...bumpVersion(version)].length).toBeLessThanOrEqual(64);
    expect(bumpVersion(version).isWellFormed()).toBe(true);
    expect(bumpVersion(version)).not.toBe(version);
  }
});
