import { type CharacterTest, PatternError } from "./pattern-syntax";

const CONTROL_ESCAPES: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13, "0": 0 };
const PROPERTY = /^[A-Za-z_]{1,40}(=[A-Za-z_]{1,40})?$/;

/** A test for exactly one code point. */
export function literal(codePoint: number): CharacterTest {
  return (tested) => tested === codePoint;
}

/** A test for `from` to `to`, both included. */
export function range(from: number, to: number): CharacterTest {
  if (from > to) throw new PatternError("A range in square brackets runs backwards.");
  return (tested) => tested >= from && tested <= to;
}

/** `.`: everything but the ends of lines. */
export const anyCharacter: CharacterTest = (tested) => tested !== 10 && tested !== 13 && tested !== 0x2028 && tested !== 0x2029;

/** The letters, digits and `_` that `\w` and `\b` know. */
export const wordCharacter: CharacterTest = (tested) =>
  (tested >= 97 && tested <= 122) || (tested >= 65 && tested <= 90) || (tested >= 48 && tested <= 57) || tested === 95;

/** The test of a class escape (`d D w W s S`), or null when `letter` names none. */
export function classEscape(letter: string): CharacterTest | null {
  if (letter === "d") return range(48, 57);
  if (letter === "D") return not(range(48, 57));
  if (letter === "w") return wordCharacter;
  if (letter === "W") return not(wordCharacter);
  if (letter === "s") return isSpace;
  return letter === "S" ? not(isSpace) : null;
}

/** The code point of a control escape (`t n v f r 0`), or null when `letter` names none. */
export function controlEscape(letter: string): number | null {
  return Object.hasOwn(CONTROL_ESCAPES, letter) ? (CONTROL_ESCAPES[letter] ?? null) : null;
}

/** The test of `\p{…}` or `\P{…}`. The engine's own tables decide, asked about one character at a time, which takes constant time. */
export function propertyEscape(property: string, negated: boolean): CharacterTest {
  if (!PROPERTY.test(property)) throw new PatternError("A \\p{…} names no Unicode property.");
  let known: RegExp;
  try {
    known = new RegExp(`^\\p{${property}}$`, "u");
  } catch {
    throw new PatternError("A \\p{…} names no Unicode property.");
  }
  return (tested) => known.test(String.fromCodePoint(tested)) !== negated;
}

/** The opposite of `test`. */
export function not(test: CharacterTest): CharacterTest {
  return (tested) => !test(tested);
}

function isSpace(tested: number): boolean {
  if (tested < 128) return (tested >= 9 && tested <= 13) || tested === 32;
  if (tested === 0xa0 || tested === 0x1680 || tested === 0x202f || tested === 0x205f || tested === 0x3000 || tested === 0xfeff) return true;
  return (tested >= 0x2000 && tested <= 0x200a) || tested === 0x2028 || tested === 0x2029;
}
