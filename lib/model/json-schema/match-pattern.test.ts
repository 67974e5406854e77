import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ComplexityLimit, WorkSpent } from "@/lib/model/json-schema/json-value";
import { matchesPattern } from "@/lib/model/json-schema/match-pattern";
import { PatternError, parsePattern } from "@/lib/model/json-schema/pattern";
import { expectLinear } from "@/lib/platform/test/expect-linear";
import { expectShortSteps } from "@/lib/platform/test/expect-short-steps";

const matches = (pattern: string, text: string, steps = 5_000_000) =>
  matchesPattern(pattern, text, new ComplexityLimit(steps));

const atom = fc.constantFrom(
  "a",
  "b",
  "[ab]",
  "[^a]",
  ".",
  "\\d",
  "\\w",
  "\\W",
  "\\s",
  "\\S",
  "[^\\s]",
  "[\\S\\n]",
  "\\D",
  "[^\\D\\W]",
  "\\p{Lu}",
  "[^\\P{L}b]",
  "\\cJ",
  "\\ud83d\\ude00",
  "[]",
  "[^]",
  "[a-c0-2]",
  "[\\d-]",
  "é",
  "\\u{1F600}",
  "\\x61",
  "\\.",
  "^",
  "$",
  "\\b",
  "\\B",
);
const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 3 },
    atom,
    fc
      .tuple(tie("pattern"), fc.constantFrom("", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"))
      .map(([part, times]) => `(?:${part})${times}`),
  ),
  pattern: fc.oneof(
    { maxDepth: 3 },
    fc.array(tie("piece"), { maxLength: 3 }).map((parts) => parts.join("")),
    fc.tuple(tie("pattern"), tie("pattern")).map(([left, right]) => `${left}|${right}`),
  ),
}));
const text = fc
  .array(
    fc.constantFrom(
      "a",
      "b",
      "c",
      "1",
      "-",
      " ",
      ".",
      "é",
      "É",
      "😀",
      "\n",
      "\r",
      "\u2028",
      "\u00a0",
      "_",
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

describe("matchesPattern", () => {
  it("agrees with the language's own matcher on every pattern of the regular subset", () => {
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        // The language's own matcher also looks for \B in the middle of a surrogate pair, where the
        // standard has no position.
        fc.pre(!source.includes("\\B") || !subject.includes("😀"));
        expect(matches(source, subject)).toBe(new RegExp(source, "u").test(subject));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ["^[A-Z]{3}\\-\\d{4}$", "ABC-1234", true],
    ["^[A-Z]{3}\\-\\d{4}$", "ABC-123", false],
    ["^\\p{Lu}", "Éclair", true],
    ["^\\P{L}+$", "42!", true],
    ["", "", true],
    ["[]", "a", false],
    ["[^]", "\n", true],
    ["^(?<year>\\d{4})$", "2026", true],
    ["a{,3}", "a{,3}", true],
    ["\\uD83D\\uDE00", "😀", true],
    ["[\\b]", "\b", true],
    ["()*", "x", true],
    [".", "\n\r\u2028\u2029", false],
    [".", "\u0085", true],
    ["a$", "a\n", false],
    ["\\S", "\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff", false],
    ["[\\s]", "\b\u001f\u0085\u180e\u200b\u2060", false],
    ["^\\S{6}$", "\b\u001f\u0085\u180e\u200b\u2060", true],
    ["\\ud83d", "\ud83d", true],
  ])("answers %s on %j with %j", (source, subject, expected) => {
    expect(matches(source, subject)).toBe(expected);
  });

  const HOSTILE = [
    "^(a+)+$",
    "^(a|a)*$",
    "^(a|aa)+$",
    "(.*)*(.*)*(.*)*x",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(a*)*b",
  ];

  it.each(HOSTILE)("needs time linear in the text for %s", async (source) => {
    expect(matches(source, `${"a".repeat(20_000)}!`)).toBe(false);
    await expectLinear(
      20_000,
      (size) => `${"a".repeat(size)}!`,
      (subject) => matches(source, subject, Number.POSITIVE_INFINITY),
    );
  });

  // The states that such a pattern can be in double with each count: none of them is worth being
  // kept.
  it.each([
    ["[ab]*a[ab]{12}$", 60_000],
    ["[ab]*a[ab]{30}$", 50_000],
    ["(a|b|ab|ba|aab)*a[ab]{900}$", 2_000],
    ["(?:.a?){400}b$", 1_400],
  ])("spends all of a budget on %s in a short step", (source, size) => {
    const subject = Array.from({ length: size }, (_, at) =>
      (at * at * 7 + at) % 11 < 5 ? "a" : "b",
    ).join("");
    expectShortSteps(function* () {
      matches(source, subject, 1_000_000);
      yield;
    });
  });

  const CATEGORIES = (
    "L Letter Lu Uppercase_Letter Ll LC Cased_Letter Lt Lm Lo M Combining_Mark Mn Mc Me N Nd " +
    "digit Nl No P punct Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc cntrl Cf Co"
  ).split(" ");
  const SCRIPTS = (
    "Latin Greek Cyrillic Han Hiragana Common Inherited Thai Lisu Cham Newa Kawi Toto Vai Nko " +
    "Old_Uyghur"
  ).split(" ");
  const BINARY = (
    "AHex ASCII_Hex_Digit Alpha Alphabetic Any Assigned Dash Emoji Emoji_Component " +
    "Emoji_Modifier Emoji_Modifier_Base Emoji_Presentation Extended_Pictographic Hex Hex_Digit " +
    "Lower Lowercase Math Quotation_Mark Terminal_Punctuation Upper Uppercase White_Space space"
  ).split(" ");
  it.each([
    ...CATEGORIES.flatMap((name) => [name, `gc=${name}`]),
    ...SCRIPTS.flatMap((name) => [`sc=${name}`, `Script=${name}`]),
    ...BINARY,
  ])("knows the characters of the Unicode property %s", (property) => {
    const native = new RegExp(`^\\p{${property}}$`, "u");
    // The two may know different versions of Unicode; what both know they agree on.
    const sample = Array.from({ length: 3_000 }, (_, at) =>
      String.fromCodePoint(at < 1_500 ? at : (at * 37) % 0xd800),
    ).filter((one) => /\P{Cn}/u.test(one));
    const budget = Number.POSITIVE_INFINITY;
    for (const one of sample)
      if (matches(`^\\p{${property}}$`, one, budget) !== native.test(one))
        expect.fail(`differs at ${one.codePointAt(0)}`);
    expect(matches(`^\\P{${property}}$`, "a")).toBe(!native.test("a"));
  });

  it.each([
    "(?=a)",
    "(?!a)",
    "(?<=a)b",
    "(a)\\1",
    "\\k<x>",
    "(?i:a)",
    "(",
    ")",
    "[a",
    "*a",
    "a**",
    "a{2}{3}",
    "a{3,1}",
    "[z-a]",
    "\\p{Nope}",
    "\\p{",
    "\\u{110000}",
    "\\q",
    "\\",
    "^*",
    "\\x1",
    "[\\d-z]",
    "a{1001}",
    "(?:a{10}b){101}",
    "\\p{scx=Greek}",
    "\\p{sc=Grek}",
    "\\p{ID_Start}",
    "[\\P{Cased}]",
  ])("refuses %s", (source) => {
    expect(() => parsePattern(source)).toThrow(PatternError);
    expect(matches(source, "a")).toBe(false);
  });

  it.each([
    ["(a", "Unterminated group, near character 2."],
    ["ab\\q", "Invalid escape, near character 4."],
    ["[z-a]", "Range out of order in character class, near character 5."],
    ["\\-(a", "Unterminated group."],
    ["a(?!b)", "Look-arounds are not supported: (?!b)"],
    ["(a)\\1", "Back-references are not supported: \\1"],
    [
      "\\p{sc=Grek}",
      "The short name of a script (the full one may serve) is not supported: \\p{sc=Grek}",
    ],
    ["a{600}{1}", "Nothing to repeat, near character 9."],
    ["(a{600}){2}", "Repetitions, those inside each other together, count at most to 1000."],
    ["(?:a{2}b{2}c{2}){334}", "A pattern's repetitions unfold too far."],
  ])("says what is wrong with %s", (source, message) => {
    expect(() => parsePattern(source)).toThrow(message);
  });

  it.each([
    ["a\\-b\\_", "a-b_"],
    ['^\\"\\@\\ $', '"@ '],
    ["{}]", "{}]"],
    ["[\\-\\_{]", "{"],
    ["\\{\\}{2}", "{}}"],
  ])("takes %s as a lenient reader does, and finds %j", (source, subject) => {
    expect(matches(source, subject)).toBe(true);
    expect(matches(source, "x")).toBe(false);
  });

  it("refuses far repetitions, nested groups and long patterns without work", () => {
    expect(() => parsePattern("((a{100}){100}){100}")).toThrow(PatternError);
    expect(() => parsePattern("((((){1000}){1000}){1000}){1000}".repeat(4))).not.toThrow();
    expect(() => parsePattern("(((()?){1000}){1000}){1000}")).toThrow(PatternError);
    expect(() => parsePattern("(".repeat(500) + ")".repeat(500))).toThrow(PatternError);
    expect(() => parsePattern("a".repeat(1_025))).toThrow(PatternError);
  });

  it("gives up when its work is spent", () => {
    expect(() => matches("(a?){300}b", "a".repeat(100_000), 1_000_000)).toThrow(WorkSpent);
  });
});
