import "server-only";
import { STOP_WORDS, stem } from "../words";
import { numberOf, OP_WORDS, PERIOD_WORDS, SUPERLATIVES } from "./question-words";
import { readLimit } from "./read-limit";
import type { Reading } from "./reading";

const CONDITION_WORDS = /^(?:from|in|at|with|without|where|whose|for|are|is|was|were|of|named|called|made|during|by|only)$/;

/** Numbers, names and words of a condition that nothing in the table answers to: leaving them out in silence would be a lie. */
export function findIgnoredWords({ words, lower, used, table }: Reading, mentioned: ReadonlySet<number>): string[] {
  const known = (place: number) =>
    used.has(place) || mentioned.has(place) || OP_WORDS.has(lower[place] ?? "") || PERIOD_WORDS.has((lower[place] ?? "").replace(/s$/, ""));
  const path = table.path.toLowerCase();
  return words.filter((word, place) => {
    const text = lower[place] ?? "";
    if (known(place) || path.includes(stem(text)) || word.includes(".csv") || word.includes(".json")) return false;
    if (/^\d/.test(word)) return readLimit(lower) !== numberOf(word);
    if (STOP_WORDS.has(text) || SUPERLATIVES.has(text) || numberOf(word) !== null || word.length < 2) return false;
    const isName = place > 0 && /^\p{Lu}/u.test(word);
    return isName || CONDITION_WORDS.test(lower[place - 1] ?? "");
  });
}
