import fc from "fast-check";
import { expect, test } from "vitest";
import { formatValue } from "@/components/format/format-value";
import type { JsonValue } from "@/lib/model/json-schema/json-value";

const EN = { locale: "en", timeZone: "UTC" };
const FORMATS = ["number", "currency", "percent", "date", "duration", "bytes"] as const;

test.each<[JsonValue, Parameters<typeof formatValue>[1], string]>([
  [1234.567, { format: "number" }, "1,234.57"],
  [0.00012, { format: "number" }, "0.00012"],
  ["12.5", { format: "number" }, "12.5"],
  [0.125, { format: "percent" }, "12.5%"],
  [2431.5, { format: "currency", currency: "EUR" }, "€2,431.50"],
  [3, { format: "currency" }, "$3.00"],
  [3725, { format: "duration" }, "1 h 02 min"],
  [1536, { format: "bytes" }, "1.5 kB"],
  [0, { format: "bytes" }, "0 byte"],
  ["2026-01-05", { format: "date" }, "Jan 5, 2026"],
  ["2026-01-05T09:30:00Z", { format: "date" }, "Jan 5, 2026, 9:30 AM"],
  [null, { format: "number" }, "–"],
  [true, {}, "Yes"],
  [{ a: 1 }, {}, '{"a":1}'],
])("%j in the format %j reads as %s", (value, format, text) => {
  // Some versions of ICU put a narrow space before AM.
  expect(formatValue(value, format, EN)?.replaceAll("\u202f", " ")).toBe(text);
});

test("figures follow the reader's language, and days are the same in every zone", () => {
  expect(formatValue(1234.5, { format: "number" }, { locale: "de", timeZone: "UTC" })).toBe(
    "1.234,5",
  );
  expect(
    formatValue("2026-01-05", { format: "date" }, { locale: "en", timeZone: "Pacific/Honolulu" }),
  ).toBe("Jan 5, 2026");
});

test("what does not fit a format is null, and no value throws", () => {
  for (const value of ["abc", "", [1], { a: 1 }, true])
    expect(formatValue(value as JsonValue, { format: "number" }, EN)).toBeNull();
  expect(formatValue("tomorrow", { format: "date" }, EN)).toBeNull();
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...FORMATS, undefined), (value, format) => {
      const text = formatValue(value as JsonValue, { format }, EN);
      expect(text === null || text.length > 0 || value === "").toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
