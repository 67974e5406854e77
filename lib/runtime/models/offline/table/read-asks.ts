import "server-only";
import { OP_WORDS, SUPERLATIVES } from "./question-words";
import type { Ask, Reading } from "./reading";

/** The words that ask for a figure, but those that are part of a column's name. */
export function readAsks({ lower, mentions, used }: Reading): Ask[] {
  const named = new Set(mentions.flatMap((mention) => mention.at));
  const asks: Ask[] = [];
  for (const [at, word] of lower.entries()) {
    if (used.has(at)) continue;
    const next = lower[at + 1] ?? "";
    if (word === "how" && next === "many" && OP_WORDS.get(lower[at + 2] ?? "") === "distinct") continue;
    if (word === "how" && (next === "many" || next === "often")) asks.push({ op: "count", at });
    else if (word === "how" && next === "much") asks.push({ op: "sum", at });
    else if (word === "standard" && next === "deviation") asks.push({ op: "stddev", at });
    else if (word === "%") asks.push({ op: "share", at });
    else if (word === "number" && next === "of" && OP_WORDS.get(lower[at + 2] ?? "") === "distinct") continue;
    else if (word === "number" && next !== "of" && lower[at - 1] !== "the") continue;
    else if (!named.has(at)) {
      const op = OP_WORDS.get(word);
      const isTotalCount = op === "sum" && next === "number";
      if (op && !isTotalCount && !(word === "most" && SUPERLATIVES.has(next))) asks.push({ op, at });
    }
  }
  if (asks.length > 0) return asks.filter((ask, index) => asks.findIndex((other) => other.at === ask.at) === index);
  // `maximum temperature` may be the name of temp_max: then the word asks as well.
  return lower.flatMap((word, at) => {
    const op = named.has(at) ? OP_WORDS.get(word) : undefined;
    return op ? [{ op, at }] : [];
  });
}
