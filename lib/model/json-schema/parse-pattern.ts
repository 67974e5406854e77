import { anyCharacter, classEscape, controlEscape, literal, not, propertyEscape, range } from "./pattern-characters";
import { type CharacterTest, PatternError, type PatternNode } from "./pattern-syntax";

/** Longest pattern that is read. */
export const PATTERN_MAX_CHARACTERS = 1_024;

const GROUPS_MAX_DEPTH = 20;
const REPEAT_MAX = 1_000;

/**
 * Reads the regular subset of ECMAScript patterns: characters, classes, groups, choices, repetitions, `^ $ \b \B`.
 * Look-arounds and back-references are refused, for no algorithm runs them in a time that the text's length bounds.
 * Throws `PatternError`.
 */
export function parsePattern(source: string): PatternNode {
  if (source.length > PATTERN_MAX_CHARACTERS) throw new PatternError(`A pattern has at most ${PATTERN_MAX_CHARACTERS} characters.`);
  const reader = new PatternReader(source);
  return reader.readAll();
}

class PatternReader {
  readonly #characters: string[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#characters = Array.from(source);
  }

  readAll(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#characters.length) throw new PatternError("A closing parenthesis has no opening one.");
    return node;
  }

  #peek(): string {
    return this.#characters[this.#at] ?? "";
  }

  #take(): string {
    const character = this.#peek();
    this.#at += 1;
    return character;
  }

  #skip(text: string): boolean {
    if (this.#characters.slice(this.#at, this.#at + text.length).join("") !== text) return false;
    this.#at += text.length;
    return true;
  }

  #choice(): PatternNode {
    const parts = [this.#sequence()];
    while (this.#skip("|")) parts.push(this.#sequence());
    return parts.length === 1 && parts[0] ? parts[0] : { kind: "choice", parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#peek() !== "" && this.#peek() !== "|" && this.#peek() !== ")") parts.push(this.#repeated(this.#atom()));
    return { kind: "sequence", parts };
  }

  #atom(): PatternNode {
    const character = this.#take();
    if (character === "^") return { kind: "assert", at: "start" };
    if (character === "$") return { kind: "assert", at: "end" };
    if (character === "(") return this.#group();
    if (character === "[") return { kind: "character", test: this.#brackets() };
    if (character === ".") return { kind: "character", test: anyCharacter };
    if (character === "\\") return this.#escape();
    if (character === "*" || character === "+" || character === "?") throw new PatternError(`A "${character}" has nothing to repeat.`);
    if (character === "{" && this.#bounds() !== null) throw new PatternError("A {…} has nothing to repeat.");
    return { kind: "character", test: literal(codePointOf(character)) };
  }

  #repeated(part: PatternNode): PatternNode {
    const bounds = this.#quantifier();
    if (bounds === null) return part;
    if (part.kind === "assert") throw new PatternError("A ^, $ or \\b cannot be repeated.");
    // Lazy or greedy decides what is captured, never whether there is a match.
    this.#skip("?");
    if (this.#quantifier() !== null) throw new PatternError("A repetition is repeated without a group around it.");
    return { kind: "repeat", part, ...bounds };
  }

  #quantifier(): { min: number; max: number | null } | null {
    if (this.#skip("*")) return { min: 0, max: null };
    if (this.#skip("+")) return { min: 1, max: null };
    if (this.#skip("?")) return { min: 0, max: 1 };
    if (this.#peek() !== "{") return null;
    this.#at += 1;
    const bounds = this.#bounds();
    if (bounds === null) this.#at -= 1;
    return bounds;
  }

  /** What stands after an opening brace, when it is `n}`, `n,}` or `n,m}`; else null, and nothing is taken. */
  #bounds(): { min: number; max: number | null } | null {
    const match = /^(\d{1,9})(,(\d{1,9})?)?\}/.exec(this.#characters.slice(this.#at, this.#at + 24).join(""));
    if (match === null) return null;
    this.#at += match[0].length;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === undefined ? null : Number(match[3]);
    if (max !== null && max < min) throw new PatternError("A repetition's numbers run backwards.");
    if (min > REPEAT_MAX || (max ?? 0) > REPEAT_MAX) throw new PatternError(`A repetition counts at most to ${REPEAT_MAX}.`);
    return { min, max };
  }

  #group(): PatternNode {
    if (this.#peek() === "?") {
      const named = /^\?<[A-Za-z_$][\w$]{0,63}>/.exec(this.#characters.slice(this.#at, this.#at + 70).join(""));
      if (named !== null) this.#at += named[0].length;
      else if (!this.#skip("?:")) throw new PatternError("Look-arounds and flags in groups are not supported.");
    }
    this.#depth += 1;
    if (this.#depth > GROUPS_MAX_DEPTH) throw new PatternError(`Groups nest at most ${GROUPS_MAX_DEPTH} deep.`);
    const node = this.#choice();
    this.#depth -= 1;
    if (!this.#skip(")")) throw new PatternError("A group is not closed.");
    return node;
  }

  #escape(): PatternNode {
    const next = this.#peek();
    if (next === "b" || next === "B") {
      this.#at += 1;
      return { kind: "assert", at: next === "b" ? "boundary" : "inside" };
    }
    if ((next >= "1" && next <= "9") || next === "k") throw new PatternError("Back-references are not supported.");
    const escaped = this.#escaped();
    return { kind: "character", test: typeof escaped === "number" ? literal(escaped) : escaped };
  }

  /** What stands after a backslash: one code point, or a class of them. */
  #escaped(): number | CharacterTest {
    const letter = this.#take();
    const ofClass = classEscape(letter);
    if (ofClass !== null) return ofClass;
    const control = controlEscape(letter);
    if (control !== null) return control;
    if (letter === "p" || letter === "P") return this.#property(letter === "P");
    if (letter === "x") return this.#hex(2);
    if (letter === "u") return this.#unicode();
    if (letter === "" || /[A-Za-z0-9]/.test(letter)) throw new PatternError("A backslash escapes nothing that is known.");
    return codePointOf(letter);
  }

  #property(negated: boolean): CharacterTest {
    const match = /^\{([^}]*)\}/.exec(this.#characters.slice(this.#at, this.#at + 90).join(""));
    if (match === null) throw new PatternError("A \\p{…} names no Unicode property.");
    this.#at += match[0].length;
    return propertyEscape(match[1] ?? "", negated);
  }

  #hex(digits: number): number {
    const text = this.#characters.slice(this.#at, this.#at + digits).join("");
    if (text.length !== digits || !/^[0-9A-Fa-f]+$/.test(text)) throw new PatternError("A \\x or \\u lacks its digits.");
    this.#at += digits;
    return Number.parseInt(text, 16);
  }

  #unicode(): number {
    const braced = /^\{([0-9A-Fa-f]{1,6})\}/.exec(this.#characters.slice(this.#at, this.#at + 8).join(""));
    if (braced !== null) {
      this.#at += braced[0].length;
      const codePoint = Number.parseInt(braced[1] ?? "", 16);
      if (codePoint > 0x10ffff) throw new PatternError("A \\u{…} is beyond Unicode.");
      return codePoint;
    }
    const first = this.#hex(4);
    const isHigh = first >= 0xd800 && first <= 0xdbff;
    if (!isHigh || !this.#skip("\\u")) return first;
    const second = this.#hex(4);
    if (second < 0xdc00 || second > 0xdfff) throw new PatternError("A surrogate pair is broken.");
    return (first - 0xd800) * 0x400 + (second - 0xdc00) + 0x10000;
  }

  #brackets(): CharacterTest {
    const negated = this.#skip("^");
    const tests: CharacterTest[] = [];
    while (!this.#skip("]")) {
      if (this.#peek() === "") throw new PatternError("A square bracket is not closed.");
      tests.push(this.#bracketItem());
    }
    const any: CharacterTest = (tested) => tests.some((test) => test(tested));
    return negated ? not(any) : any;
  }

  #bracketItem(): CharacterTest {
    const from = this.#bracketEnd();
    const isRange = this.#peek() === "-" && (this.#characters[this.#at + 1] ?? "]") !== "]";
    if (!isRange) return typeof from === "number" ? literal(from) : from;
    this.#at += 1;
    const to = this.#bracketEnd();
    if (typeof from !== "number" || typeof to !== "number") throw new PatternError("A class stands at the end of a range.");
    return range(from, to);
  }

  #bracketEnd(): number | CharacterTest {
    const character = this.#take();
    if (character !== "\\") return codePointOf(character);
    if (this.#peek() !== "b") return this.#escaped();
    this.#at += 1;
    return 8;
  }
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
