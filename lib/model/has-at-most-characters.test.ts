import { expect, test } from "vitest";
import { hasAtMostCharacters } from "@/lib/model/text-of";

test("a character is a code point: of one, two, three or four bytes each counts one", () => {
  for (const character of ["a", "ü", "日", "🌍"]) {
    expect([character, hasAtMostCharacters(character.repeat(255), 255)]).toEqual([character, true]);
    expect([character, hasAtMostCharacters(character.repeat(256), 255)]).toEqual([
      character,
      false,
    ]);
  }
  expect(hasAtMostCharacters(`${"🌍".repeat(254)}a`, 255)).toBe(true);
  expect(hasAtMostCharacters(`${"🌍".repeat(254)}ab`, 255)).toBe(false);
});
