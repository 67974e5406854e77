import "server-only";
import { numberOf, OP_WORDS, SUPERLATIVES } from "./question-words";

/** `top 5`, `the three largest`, `first 10`. */
export function readLimit(lower: readonly string[]): number | null {
  for (const [at, word] of lower.entries()) {
    const value = numberOf(word);
    if (value === null || value < 1 || value > 1000 || !Number.isInteger(value)) continue;
    const previous = lower[at - 1] ?? "";
    const next = lower[at + 1] ?? "";
    const isRank = OP_WORDS.get(next) === "max" || OP_WORDS.get(next) === "min" || SUPERLATIVES.has(next);
    if (
      /^(?:top|first|bottom|best|worst)$/.test(previous) ||
      isRank ||
      /^\S+ with the (?:most|highest|lowest|fewest|largest|least)/.test(lower.slice(at + 1, at + 5).join(" "))
    )
      return value;
  }
  return null;
}
