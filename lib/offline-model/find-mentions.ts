import "server-only";
import { isFunctionWord, nameWords, stem } from "./language";
import { OPERATION_WORDS, PERIOD_WORDS, SHORT } from "./lexicon";
import type { TableColumn, TableProfile } from "./table-query";

type Cells = { [column: string]: string | number | boolean };

/**
 * What some words of a clause name: columns (several, where the words do not tell them apart), or
 * cells of a table.
 */
export interface Mention {
  from: number;
  to: number;
  columns: TableColumn[];
  /** By their columns; null for columns. */
  cells: Cells | null;
  isExact: boolean;
}

const PHRASE_MAX_WORDS = 5;

/**
 * The mentions of columns and cells among lower-case words, none of which counts twice: longest
 * first, a whole name before a cell before a part of a name.
 */
export function findMentions(words: readonly string[], table: TableProfile): Mention[] {
  const weight = ({ from, to, cells, isExact }: Mention) =>
    (to - from) * 10 + (cells ? 3 : isExact ? 5 : 1);
  const found = [...cellMentions(words, table), ...columnMentions(words, table)].sort(
    (a, b) => weight(b) - weight(a) || a.from - b.from,
  );
  const chosen: Mention[] = [];
  for (const mention of found)
    if (!chosen.some(({ from, to }) => mention.from < to && from < mention.to))
      chosen.push(mention);
  // A column may be named `total`: the word means it only where it cannot be the operation.
  const isOperation = ({ from, to }: Mention) =>
    to - from === 1 && OPERATION_WORDS.has(words[from] ?? "");
  const isNumberNamed = chosen.some(
    (one) => one.columns.some(({ kind }) => kind === "number") && !isOperation(one),
  );
  return chosen.filter(
    (one) => !isOperation(one) || !isNumberNamed || OPERATION_WORDS.has(words[one.from - 1] ?? ""),
  );
}

/** Runs of up to five words, by where they begin and end. */
function* runs(words: readonly string[]): Generator<[from: number, to: number, phrase: string]> {
  for (let from = 0; from < words.length; from += 1)
    for (let to = from + 1; to <= Math.min(words.length, from + PHRASE_MAX_WORDS); to += 1)
      yield [from, to, words.slice(from, to).join(" ")];
}

function cellMentions(words: readonly string[], { hits }: TableProfile): Mention[] {
  const byStem = new Map<string, Cells>();
  for (const { phrase, column, value } of hits)
    byStem.set(stem(phrase), { ...byStem.get(stem(phrase)), [column]: value });
  const mentions: Mention[] = [];
  for (const [from, to, phrase] of runs(words)) {
    const cells = byStem.get(stem(phrase));
    // `no fee` does not speak of a cell that says no; `insured is no` does.
    const isNegation =
      /^(?:no|not|none|nothing)$/.test(phrase) &&
      !/^(?:is|are|was|were|=)$/.test(words[from - 1] ?? "");
    if (cells && !isNegation && !(to - from === 1 && OPERATION_WORDS.has(phrase)))
      mentions.push({ from, to, columns: [], cells, isExact: true });
  }
  return mentions;
}

function columnMentions(words: readonly string[], { columns }: TableProfile): Mention[] {
  const hasDates = columns.some(({ kind }) => kind === "date");
  return words.flatMap((_, from) => {
    const found = columns.flatMap((column) => {
      const run = runAt(words, from, column, hasDates);
      return run === null ? [] : [{ column, ...run }];
    });
    const to = Math.max(0, ...found.map((run) => run.to));
    const longest = found.filter((run) => run.to === to);
    const whole = longest.filter(({ isExact }) => isExact);
    const best = Math.max(...longest.map(({ score }) => score));
    const chosen = whole.length > 0 ? whole : longest.filter(({ score }) => score === best);
    return chosen.length === 0
      ? []
      : [
          {
            from,
            to,
            columns: chosen.map(({ column }) => column),
            cells: null,
            isExact: whole.length > 0,
          },
        ];
  });
}

/**
 * How far the words from a place on are words of a column's name, in any order, function words
 * between them passed over.
 */
function runAt(
  words: readonly string[],
  from: number,
  { name }: TableColumn,
  hasDates: boolean,
): { to: number; isExact: boolean; score: number } | null {
  const all = nameWords(name);
  const left = new Set(all);
  let to = from;
  let score = 0;
  for (let place = from; place < words.length && place - to <= 1 && left.size > 0; place += 1) {
    const word = words[place] ?? "";
    // `rentals have no …` does not name the column `rental_no`.
    if (word === "no" && place > to) break;
    const [best] = [...left]
      .map((part) => ({ part, fit: fitOf(word, part) }))
      .sort((a, b) => b.fit - a.fit);
    if (best && best.fit > 0) {
      left.delete(best.part);
      to = place + 1;
      score += best.fit;
    } else if (place === from || !isFunctionWord(word)) break;
  }
  if (to === from) return null;
  // A unit in brackets need not be said.
  const unit = nameWords(inBrackets(name));
  const isExact = [...left].every((part) => unit.includes(part) && unit.length < all.length);
  const single = to - from === 1 ? (words[from] ?? "") : "";
  // Small words name a column called `at` or `job_no` only where they are said to.
  const isSmall =
    isFunctionWord(single) ||
    /^(?:no|nr|key|code|up|off|by|not|per|each|every|than|vs)$/.test(single);
  const isSaid = /^(?:by|per|column|each)$/.test(words[from - 1] ?? "");
  if (isSmall && !(isExact && isSaid)) return null;
  // `Close ticket 5` does not speak of the column `hours_to_close`.
  const next = words[to];
  const isOrder =
    from === 0 && single !== "" && next !== undefined && !/^(?:of|by|per|for|in|and)$/.test(next);
  const isTaken =
    isOrder ||
    single === "id" ||
    OPERATION_WORDS.has(single) ||
    (PERIOD_WORDS.has(single) && hasDates);
  return isTaken && !isExact ? null : { to, isExact, score };
}

/** What stands in brackets at the end of a name. */
function inBrackets(name: string): string {
  const text = name.trimEnd();
  const start = Math.max(text.lastIndexOf("("), text.lastIndexOf("["));
  return start >= 0 && /[)\]]$/.test(text) ? text.slice(start + 1, -1) : "";
}

const SHORT_MIN_CHARACTERS = 3;
const SHORT_MAX_CHARACTERS = 6;
const REST_MIN_CHARACTERS = 4;

/**
 * How well a word stands for a word of a name: the same, or the one is short for the other (`temp`,
 * `temperature`).
 */
function fitOf(word: string, part: string): number {
  const [a, b] = [stem(SHORT[word] ?? word), stem(SHORT[part] ?? part)];
  if (a === b) return 1;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const isShort =
    short.length >= SHORT_MIN_CHARACTERS &&
    short.length <= SHORT_MAX_CHARACTERS &&
    long.length - short.length >= REST_MIN_CHARACTERS;
  return isShort && long.startsWith(short) && !isFunctionWord(short) && !isFunctionWord(long)
    ? 0.8
    : 0;
}

/** Everything in a request that a cell may be, in the form in which cells are compared. */
export function phrasesOf(texts: readonly string[], maxPhrases: number): string[] {
  const phrases = new Set<string>();
  for (const text of texts)
    for (const [, , phrase] of runs(toWords(text))) {
      if (phrases.size >= maxPhrases) return [...phrases];
      if (phrase.split(" ").some((word) => !isFunctionWord(word))) phrases.add(phrase);
    }
  return [...phrases];
}

const TOKEN = /\d{4}-\d\d-\d\d|-?\d+(?:,\d{3})*(?:\.\d+)?|[<>]=?|[=%]|[\p{L}\p{N}]+/gu;

/** The words, numbers and signs of a clause in lower case. */
export function toWords(text: string): string[] {
  const line = text
    .replace(/n['\u2019]t\b/gi, " not")
    .replace(/['\u2019]s\b/g, "")
    .toLowerCase();
  const words: string[] = [];
  let end = -1;
  for (const { 0: token, index } of line.matchAll(TOKEN)) {
    // `12x` is one word, and the 2 of `oak-2` has no sign.
    const isWithin = index === end && /[\p{L}\p{N}]$/u.test(words.at(-1) ?? "");
    if (isWithin && /^[\p{L}\p{N}]/u.test(token)) words.push(`${words.pop()}${token}`);
    else words.push(isWithin && token.startsWith("-") ? token.slice(1) : token);
    end = index + token.length;
  }
  return words;
}
