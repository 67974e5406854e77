import { describe, expect, it } from "vitest";
import {
  formatBytes,
  formatCount,
  formatCredits,
  formatDuration,
  formatRelativeTime,
  shortenId,
  withoutMarks,
} from "@/components/format/format";

describe("figures", () => {
  it.each([
    [0, "0"],
    [0.000001, "0.000001"],
    [0.00421, "0.0042"],
    [3.254, "3.25"],
    [12408.4, "12,408"],
  ])("shows %d credits as %s", (credits, text) => expect(formatCredits(credits)).toBe(text));

  it.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1024, "1.0 KB"],
    [104_857_600, "100 MB"],
    [5_368_709_120, "5.0 GB"],
  ])("shows %d bytes as %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [-5, "0 ms"],
    [999, "999 ms"],
    [3400, "3.4 s"],
    [125_000, "2 min 05 s"],
    [4_320_000, "1 h 12 min"],
  ])("shows %d ms as %s", (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text));

  it("counts in full below a million", () => {
    expect(formatCount(999_999)).toBe("999,999");
    expect(formatCount(1_300_000)).toBe("1.3M");
  });
});

describe("times", () => {
  const now = Date.parse("2026-03-10T12:00:00.000Z");
  it.each([
    ["2026-03-10T11:59:30.000Z", "just now"],
    ["2026-03-10T11:59:10.000Z", "1 min. ago"],
    ["2026-03-10T11:00:00.000Z", "1 hr. ago"],
    ["2026-03-09T12:00:00.000Z", "yesterday"],
    ["2026-03-12T12:00:00.000Z", "in 2 days"],
    ["nonsense", ""],
  ])("shows %s as %s", (time, text) => expect(formatRelativeTime(time, now)).toBe(text));
});

it("keeps the end of an id, which differs between neighbours", () => {
  expect(shortenId("01936b2e-7c4a-7d3e-9f10-2a5c8e4b1f77")).toBe("…8e4b1f77");
  expect(shortenId("short")).toBe("short");
});

it("takes the marks out of words that stand as plain text, and nothing else", () => {
  expect(
    withoutMarks(
      "## Sales Revenue was **€2,431**, see [the report](https://example.com/a) and `kpis.md`.",
    ),
  ).toBe("Sales Revenue was €2,431, see the report and kpis.md.");
  for (const text of [
    "2 * 3 ** 2",
    "Issue #12 is done",
    "a_b__c",
    "[x] done",
    "5 > 3",
    "C # minor",
  ])
    expect(withoutMarks(text)).toBe(text);
});
