import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesPattern } from "./check-string";
import { compilePattern } from "./compile-pattern";
import { PatternError } from "./pattern-syntax";
import { WorkBudget, WorkSpent } from "./work-budget";

const matches = (pattern: string, text: string, steps = 5_000_000) => matchesPattern(compilePattern(pattern), text, new WorkBudget(steps));

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
const text = fc.array(fc.constantFrom("a", "b", "c", "1", "-", " ", ".", "é", "😀", "\n"), { maxLength: 8 }).map((parts) => parts.join(""));

describe("matchesPattern", () => {
  it("agrees with the language's own matcher on every pattern of the regular subset", () => {
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        // The language's own matcher also looks for \B in the middle of a surrogate pair, where the standard has no position.
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
  ])("answers %s on %j with %j", (source, subject, expected) => {
    expect(matches(source, subject)).toBe(expected);
  });

  it.each(["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*)*(.*)*(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a*)*b"])(
    "needs time linear in the text for %s",
    (source) => {
      expect(matches(source, `${"a".repeat(20_000)}!`)).toBe(false);
    },
  );

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
  ])("refuses %s", (source) => {
    expect(() => compilePattern(source)).toThrow(PatternError);
  });

  it("refuses repetitions that unfold too far, nested groups and long patterns without doing their work", () => {
    expect(() => compilePattern("((a{100}){100}){100}")).toThrow(PatternError);
    expect(() => compilePattern("((((){1000}){1000}){1000}){1000}".repeat(4))).not.toThrow();
    expect(() => compilePattern("(((()?){1000}){1000}){1000}")).toThrow(PatternError);
    expect(() => compilePattern("(".repeat(500) + ")".repeat(500))).toThrow(PatternError);
    expect(() => compilePattern("a".repeat(1_025))).toThrow(PatternError);
  });

  it("gives up when its work is spent", () => {
    expect(() => matches("(a?){300}b", "a".repeat(100_000), 1_000_000)).toThrow(WorkSpent);
  });
});
