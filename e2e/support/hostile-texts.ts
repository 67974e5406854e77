import { type AST, RegExpParser } from "@eslint-community/regexpp";

/**
 * Texts that make a pattern look at the same characters again and again: what stands before one of
 * its repetitions, the repeated piece many times, and then something that the pattern does not
 * take.
 */

/** What stands for "any of these" in a text, where a class takes it. */
const CANDIDATES = [..."a0 A-_.,:;/@\"'([{<`*#|=~!?%&+$\\)]}>", "\t", "\n", "é", "\u0001"];
const REPEATED_MIN = 8;
const FAILS = "\u0001!";

/** The worst texts of a pattern as it is written, each of about so many characters. */
export function hostileTexts(literal: string, characters: number): string[] {
  const { pattern, flags } = new RegExpParser({ ecmaVersion: 2025 }).parseLiteral(literal);
  const texts: string[] = [];
  const grow = (before: string, piece: string) => {
    if (piece === "") return;
    const times = Math.floor((characters - before.length) / piece.length);
    texts.push(before + piece.repeat(Math.max(0, times)) + FAILS);
  };
  const visit = (node: AST.Node, before: string): void => {
    if (node.type === "Quantifier") {
      if (node.max >= REPEATED_MIN) grow(before, exampleOf(node.element, flags.raw));
      visit(node.element, before);
    } else if (node.type === "Alternative") {
      let said = before;
      for (const element of node.elements) {
        visit(element, said);
        said += exampleOf(element, flags.raw);
      }
    } else if ("alternatives" in node && node.type !== "ClassStringDisjunction")
      for (const alternative of node.alternatives) visit(alternative, before);
  };
  visit(pattern, "");
  return texts;
}

/** A short text that a part of a pattern takes. */
function exampleOf(node: AST.Element, flags: string): string {
  switch (node.type) {
    case "Character":
      return String.fromCodePoint(node.value);
    case "CharacterSet":
    case "CharacterClass": {
      const takes = new RegExp(`^${node.raw}$`, flags.replace(/[gy]/g, ""));
      return CANDIDATES.find((sign) => takes.test(sign)) ?? "";
    }
    case "Group":
    case "CapturingGroup":
      return (node.alternatives[0]?.elements ?? [])
        .map((element) => exampleOf(element, flags))
        .join("");
    case "Quantifier":
      return exampleOf(node.element, flags).repeat(Math.max(1, Math.min(node.min, REPEATED_MIN)));
    default:
      return "";
  }
}

/** `count` of them, from all over the list, no two alike. */
export function spread(texts: readonly string[], count: number): string[] {
  const all = [...new Set(texts)];
  const step = Math.max(1, all.length / count);
  return Array.from(
    { length: Math.min(count, all.length) },
    (_, at) => all[Math.floor(at * step)] ?? "",
  );
}
