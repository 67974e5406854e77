// RE2 is 46 KB (gzip) that no page needs: browsers only read patterns.
import "server-only";
import type { AST } from "@eslint-community/regexpp";
import { RE2Set } from "re2js";
import type { ComplexityLimit } from "@/lib/model/json-schema/json-value";
import {
  type ParsedPattern,
  PatternError,
  parsePattern,
  toRe2Property,
} from "@/lib/model/json-schema/pattern";

/**
 * RE2's memory for the states of one pattern. With its default of 8 MB the patterns that are kept
 * could take a gigabyte.
 */
const STATES_MAX_BYTES = 262_144;
const KEPT_PATTERNS = 100;
/**
 * A call takes as long as so many steps of other checks, and so does each of a pattern's steps when
 * it is made; classes of Unicode are large.
 */
const CALL_STEPS = 20;
const COMPILE_STEPS = 15;
const UNICODE_COMPILE_STEPS = 200;
/**
 * RE2 at its worst (no states kept) goes through so many of its steps in the time of one step of
 * other checks.
 */
const ENGINE_STEPS = 2;

const ANYTHING = "\\x{0}-\\x{10ffff}";
/** ECMAScript's white space and ends of lines; RE2's `\s` is of ASCII. */
const SPACES =
  "\\t-\\r " +
  "\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const NO_SPACES =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}" +
  "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}" +
  "-\\x{10ffff}";

interface KeptPattern {
  set: RE2Set;
  /** What a character of text may cost at the most. */
  stepsPerCharacter: number;
}

const kept = new Map<string, KeptPattern | null>();

/**
 * Whether the pattern is found anywhere in `text`, as ECMAScript has it with flag u; one that
 * cannot be used, which `checkSchema` refuses, is found nowhere.
 * RE2 takes a time that grows with the text's length times the pattern's, whatever they are; so
 * much is taken off the budget before.
 * @throws WorkSpent
 */
export function matchesPattern(source: string, text: string, budget: ComplexityLimit): boolean {
  const known = kept.get(source);
  const pattern = known === undefined ? compile(source, budget) : known;
  keep(source, pattern);
  if (pattern === null) return false;
  budget.spend(CALL_STEPS + Math.ceil((pattern.stepsPerCharacter * text.length) / ENGINE_STEPS));
  return pattern.set.match(text).length > 0;
}

function keep(source: string, pattern: KeptPattern | null): void {
  kept.delete(source);
  kept.set(source, pattern);
  const oldest = kept.keys().next();
  if (kept.size > KEPT_PATTERNS && !oldest.done) kept.delete(oldest.value);
}

function compile(source: string, budget: ComplexityLimit): KeptPattern | null {
  const pattern = read(source);
  if (pattern === null) return null;
  budget.spend(pattern.steps * (/\\p/i.test(source) ? UNICODE_COMPILE_STEPS : COMPILE_STEPS));
  const set = new RE2Set(RE2Set.UNANCHORED, 0, STATES_MAX_BYTES);
  set.add(toRe2(pattern.alternatives));
  set.compile();
  return { set, stepsPerCharacter: pattern.steps };
}

function read(source: string): ParsedPattern | null {
  try {
    return parsePattern(source);
  } catch (error) {
    if (error instanceof PatternError) return null;
    throw error;
  }
}

/**
 * The same in RE2's syntax. What the two mean differently (`. \s $` and Unicode's names) is written
 * out.
 */
function toRe2(alternatives: readonly AST.Alternative[]): string {
  return alternatives.map(({ elements }) => elements.map(elementToRe2).join("")).join("|");
}

function elementToRe2(element: AST.Element): string {
  if (element.type === "CapturingGroup" || element.type === "Group") {
    const inner = toRe2(element.alternatives);
    return inner === "" ? "" : `(?:${inner})`;
  }
  if (element.type === "Quantifier") return repeatToRe2(element);
  if (element.type === "Assertion")
    return element.kind === "start"
      ? "\\A"
      : element.kind === "end"
        ? "\\z"
        : wordEdgeToRe2(element);
  if (element.type === "Character") return codeOf(element.value);
  if (element.type === "CharacterSet")
    return element.kind === "any" ? "[^\\n\\r\\x{2028}\\x{2029}]" : `[${setToRe2(element)}]`;
  if (element.type === "CharacterClass") return classToRe2(element);
  throw new PatternError(`${element.raw} is not supported.`);
}

function wordEdgeToRe2(assertion: AST.Assertion): string {
  if (assertion.kind !== "word") throw new PatternError(`${assertion.raw} is not supported.`);
  return assertion.negate ? "\\B" : "\\b";
}

/** Lazy or greedy decides what is captured, never whether there is a match. */
function repeatToRe2({ element, min, max }: AST.Quantifier): string {
  const inner = elementToRe2(element);
  return inner === "" ? "" : `${inner}{${min},${Number.isFinite(max) ? max : ""}}`;
}

function classToRe2({ elements, negate }: AST.CharacterClass): string {
  // RE2 has no empty class.
  if (elements.length === 0) return negate ? `[${ANYTHING}]` : `[^${ANYTHING}]`;
  return `[${negate ? "^" : ""}${elements.map(classPartToRe2).join("")}]`;
}

function classPartToRe2(part: AST.CharacterClassElement): string {
  if (part.type === "Character") return codeOf(part.value);
  if (part.type === "CharacterClassRange")
    return `${codeOf(part.min.value)}-${codeOf(part.max.value)}`;
  if (part.type === "CharacterSet") return setToRe2(part);
  throw new PatternError(`${part.raw} is not supported.`);
}

function setToRe2(set: Exclude<AST.CharacterSet, AST.AnyCharacterSet>): string {
  if (set.kind === "property") return `\\${set.negate ? "P" : "p"}{${toRe2Property(set)}}`;
  if (set.kind === "space") return set.negate ? NO_SPACES : SPACES;
  const letter = set.kind === "digit" ? "d" : "w";
  return `\\${set.negate ? letter.toUpperCase() : letter}`;
}

function codeOf(codePoint: number): string {
  return `\\x{${codePoint.toString(16)}}`;
}
