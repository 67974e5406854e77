import { expect, test } from "vitest";
import { patternsIn, whyNotLinear } from "./linear-patterns.mjs";

test("patterns are found as literals and as texts of new RegExp, with their places", () => {
  const found = patternsIn(
    "a.ts",
    'const a = /x\\/y/gu;\nconst b = new RegExp("a+b", "i");\nconst c = new RegExp(a);\n// /no/\n',
  );
  expect(found).toEqual([
    { literal: "/x\\/y/gu", source: "x\\/y", flags: "gu", places: ["a.ts:1"] },
    { literal: "/a+b/i", source: "a+b", flags: "i", places: ["a.ts:2"] },
  ]);
});

const pattern = (/** @type {RegExp} */ { source, flags }) => ({
  literal: `/${source}/${flags}`,
  source,
  flags,
  places: [],
});

test("a pattern worse than linear is told with a text; a linear one is proven", async () => {
  for (const slow of [/\/+$/, /^[^\s@]+@[^\s@]+\.[^\s@]+$/, /^(?:a+)+$/, /\s*,\s*/])
    expect(await whyNotLinear(pattern(slow))).toMatch(/polynomial|exponential/);
  for (const fast of [/^[a-z]+$/, /[^a-z]+/g, /^\d{1,5}$/])
    expect(await whyNotLinear(pattern(fast))).toBeNull();
});

test("what has no automaton is not proven", async () => {
  expect(await whyNotLinear(pattern(/(["'])a*\1b/))).toContain("back-reference");
});
