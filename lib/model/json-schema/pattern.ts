import { type AST, RegExpParser, RegExpSyntaxError } from "@eslint-community/regexpp";

/** Longest pattern that is read. */
export const PATTERN_MAX_CHARACTERS = 1_024;
/** Longest program that a pattern unfolds to: what a character of text costs at the most. */
export const PATTERN_MAX_STEPS = 2_000;

const GROUPS_MAX_DEPTH = 20;
/** Repetitions inside each other count together, as RE2 has it. */
const REPEAT_MAX = 1_000;
/** The standard that Node.js 20 and today's browsers have in common. */
const ECMA_VERSION = 2024;

/** Why a pattern cannot be used; the message is fit for a person. */
export class PatternError extends Error {
  override name = "PatternError";
}

/** `steps` is how long a program it unfolds to. */
export type ParsedPattern = { alternatives: AST.Alternative[]; steps: number };

/**
 * Reads the regular subset of ECMAScript patterns (flag u), in the browser too. What
 * `match-pattern.ts` cannot run in a time that the text's length bounds, or would unfold too far,
 * is refused: look-arounds, back-references, counts above a thousand, Unicode properties that RE2
 * has not.
 * @throws PatternError
 */
export function parsePattern(source: string): ParsedPattern {
  if (source.length > PATTERN_MAX_CHARACTERS)
    throw new PatternError(`A pattern has at most ${PATTERN_MAX_CHARACTERS} characters.`);
  const strict = withStrictEscapes(source);
  const pattern = parse(strict);
  if (pattern instanceof RegExpSyntaxError)
    throw new PatternError(describeFault(pattern, strict === source ? source : null));
  const steps = stepsOf(pattern.alternatives, 0, 1) + 1;
  if (steps > PATTERN_MAX_STEPS) throw new PatternError("A pattern's repetitions unfold too far.");
  return { alternatives: pattern.alternatives, steps };
}

function parse(source: string): AST.Pattern | RegExpSyntaxError {
  try {
    return new RegExpParser({ ecmaVersion: ECMA_VERSION }).parsePattern(source, 0, source.length, {
      unicode: true,
    });
  } catch (error) {
    if (error instanceof RegExpSyntaxError) return error;
    throw error;
  }
}

/**
 * Where the fault stands is told unless the pattern was rewritten before it was read: `source` is
 * null then.
 */
function describeFault({ message, index }: RegExpSyntaxError, source: string | null): string {
  // The library's message quotes the whole pattern first.
  const reason = message.slice(message.lastIndexOf("/u: ") + 4);
  return source === null
    ? `${reason}.`
    : `${reason}, near character ${Math.min(index + 1, source.length)}.`;
}

/**
 * Schemas in the wild escape what needs no escape (`\-`, `\"`) and leave braces bare that count
 * nothing; browsers take both without flag u. Here such a character is written by its code, so that
 * it stands for itself.
 */
function withStrictEscapes(source: string): string {
  const escapes = (text: string) =>
    text.replace(/\\([a-zA-Z0-9])|\\([^a-zA-Z0-9])/gu, (whole, _, mark?: string) =>
      mark ? codeOf(mark) : whole,
    );
  let strict = "";
  for (const token of tokensOf(source)) {
    if (token === "{" || token === "}" || token === "]") strict += codeOf(token);
    else
      strict +=
        (token.startsWith("[") && token.length > 1) || token.startsWith("\\")
          ? escapes(token)
          : token;
  }
  return strict;
}

const COUNT = /\{\d+(?:,\d*)?\}/y;

/**
 * A pattern's escapes, counts, classes of characters and single characters, in order: each
 * character is looked at once or twice.
 */
function* tokensOf(source: string): Generator<string, void> {
  let isUnclosed = false; // no class is closed from here on
  for (let at = 0; at < source.length; ) {
    const character = source.charAt(at);
    let end = at + 1;
    if (character === "\\") {
      end = at + 2;
      const close =
        "pPuk".includes(source.charAt(at + 1)) && source.charAt(at + 2) === "{"
          ? source.indexOf("}", at + 3)
          : -1;
      if (close >= 0) end = close + 1;
    } else if (character === "{") {
      COUNT.lastIndex = at;
      end = at + (COUNT.exec(source)?.[0].length ?? 1);
    } else if (character === "[" && !isUnclosed) {
      const close = endOfClass(source, at);
      isUnclosed = close === null;
      end = close ?? end;
    }
    yield source.slice(at, end);
    at = end;
  }
}

/** Behind the `]` that closes a class; null where none does. */
function endOfClass(source: string, start: number): number | null {
  for (let at = start + 1; at < source.length; at += source.charAt(at) === "\\" ? 2 : 1)
    if (source.charAt(at) === "]") return at + 1;
  return null;
}

function codeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/**
 * How many steps a program has for these parts, a repetition unfolded; `times` is how often the
 * repetitions around them count.
 */
function stepsOf(alternatives: AST.Alternative[], depth: number, times: number): number {
  if (depth > GROUPS_MAX_DEPTH)
    throw new PatternError(`Groups nest at most ${GROUPS_MAX_DEPTH} deep.`);
  let steps = 2 * (alternatives.length - 1);
  for (const { elements } of alternatives)
    for (const element of elements) steps += stepsOfElement(element, depth, times);
  return steps;
}

function stepsOfElement(element: AST.Element, depth: number, times: number): number {
  if (element.type === "Backreference") throw unsupported("Back-references are", element);
  if (
    element.type === "Assertion" &&
    (element.kind === "lookahead" || element.kind === "lookbehind")
  )
    throw unsupported("Look-arounds are", element);
  if (element.type === "CapturingGroup" || element.type === "Group")
    return stepsOf(element.alternatives, depth + 1, times);
  if (element.type === "Quantifier") return stepsOfRepeat(element, depth, times);
  if (element.type === "CharacterSet" && element.kind === "property") toRe2Property(element);
  if (element.type === "CharacterClass") {
    for (const part of element.elements)
      if (part.type === "CharacterSet" && part.kind === "property") toRe2Property(part);
  }
  return 1;
}

function stepsOfRepeat(
  { element, min, max }: AST.Quantifier,
  depth: number,
  times: number,
): number {
  const count = Math.max(min, Number.isFinite(max) ? max : 0, 1);
  const once = stepsOfElement(element, depth, times * count);
  // Nothing, however often, is nothing.
  if (once === 0 && min === max) return 0;
  if (count * times > REPEAT_MAX)
    throw new PatternError(
      `Repetitions, those inside each other together, count at most to ${REPEAT_MAX}.`,
    );
  return Number.isFinite(max) ? min * once + (max - min) * (once + 1) : min * once + once + 2;
}

/** Binary properties that RE2 knows, by ECMAScript's names; with their short names. */
const BINARY_PROPERTIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (
      "ASCII_Hex_Digit Alphabetic Any Assigned Dash Emoji Emoji_Component Emoji_Modifier " +
      "Emoji_Modifier_Base Emoji_Presentation Extended_Pictographic Hex_Digit Lowercase Math " +
      "Quotation_Mark Terminal_Punctuation Uppercase White_Space"
    )
      .split(" ")
      .map((name) => [name, name]),
  ),
  AHex: "ASCII_Hex_Digit",
  Alpha: "Alphabetic",
  Hex: "Hex_Digit",
  Lower: "Lowercase",
  Upper: "Uppercase",
  space: "White_Space",
};

const CATEGORIES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "Letter=L Cased_Letter=LC Uppercase_Letter=Lu Lowercase_Letter=Ll Titlecase_Letter=Lt " +
    "Modifier_Letter=Lm Other_Letter=Lo Mark=M Combining_Mark=M Nonspacing_Mark=Mn " +
    "Spacing_Mark=Mc Enclosing_Mark=Me Number=N Decimal_Number=Nd digit=Nd Letter_Number=Nl " +
    "Other_Number=No Punctuation=P punct=P Connector_Punctuation=Pc " +
    "Dash_Punctuation=Pd Open_Punctuation=Ps Close_Punctuation=Pe Initial_Punctuation=Pi " +
    "Final_Punctuation=Pf Other_Punctuation=Po Symbol=S Math_Symbol=Sm " +
    "Currency_Symbol=Sc Modifier_Symbol=Sk Other_Symbol=So Separator=Z Space_Separator=Zs " +
    "Line_Separator=Zl Paragraph_Separator=Zp Other=C Control=Cc cntrl=Cc " +
    "Format=Cf Surrogate=Cs Private_Use=Co Unassigned=Cn"
  )
    .split(" ")
    .map((pair) => pair.split("=")),
);

/**
 * A script has a name and a code of four letters; RE2 knows the name. These names look like codes.
 */
const SHORT_SCRIPT_NAMES = new Set(["Cham", "Kawi", "Lisu", "Newa", "Thai", "Toto"]);

/**
 * The name that RE2 has for a Unicode property.
 * @throws PatternError when it has none
 */
export function toRe2Property(set: AST.UnicodePropertyCharacterSet): string {
  const { key, value } = set;
  if (value === null) {
    const known = Object.hasOwn(BINARY_PROPERTIES, key) ? BINARY_PROPERTIES[key] : undefined;
    if (known === undefined) throw unsupported(`The property ${key} is`, set);
    return known;
  }
  if (key === "General_Category" || key === "gc")
    return Object.hasOwn(CATEGORIES, value) ? (CATEGORIES[value] ?? value) : value;
  if (key === "Script_Extensions" || key === "scx")
    throw unsupported("Script_Extensions (Script may serve) is", set);
  if (value.length === 4 && !SHORT_SCRIPT_NAMES.has(value))
    throw unsupported("The short name of a script (the full one may serve) is", set);
  return value;
}

function unsupported(what: string, { raw }: AST.Node): PatternError {
  return new PatternError(`${what} not supported: ${raw}`);
}
