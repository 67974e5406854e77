import "server-only";
import { isFunctionWord, nameWords, stem } from "./language";
import type { TableColumn, TableProfile } from "./table-query";

/**
 * What some words of a clause name: columns (several, where the words do not tell them apart), or
 * cells of a table.
 */
export interface Mention {
  from: number;
  to: number;
  columns: TableColumn[];
  /** Null for columns. */
  value: { [column: string]: string | number | boolean } | null;
  isExact: boolean;
}

export const OPERATION_WORDS: ReadonlySet<string> = new Set(
  (
    "average averages mean means avg total totals sum sums median medians minimum min lowest smallest least fewest earliest maximum max highest largest biggest greatest most latest " +
    "count counts distinct unique different top bottom first last percent percentage share between than over under above below more less"
  ).split(" "),
);
export const PERIOD_WORDS: ReadonlySet<string> = new Set(
  "year years quarter quarters month months weekday weekdays day days".split(" "),
);

const PHRASE_MAX_WORDS = 5;

/**
 * The mentions of columns and cells among lower-case words, none of which counts twice: longest
 * first, a whole name before a cell before a part of a name.
 */
export function findMentions(words: readonly string[], table: TableProfile): Mention[] {
  const found = [...cellMentions(words, table), ...columnMentions(words, table)];
  const weight = ({ from, to, value, isExact }: Mention) =>
    (to - from) * 10 + (value ? 3 : isExact ? 5 : 1);
  found.sort((a, b) => weight(b) - weight(a) || a.from - b.from);
  const chosen: Mention[] = [];
  for (const mention of found)
    if (!chosen.some(({ from, to }) => mention.from < to && from < mention.to))
      chosen.push(mention);
  const isNumberNamed = chosen.some(
    (one) => one.columns.some(({ kind }) => kind === "number") && !isOperation(one, words),
  );
  return chosen
    .filter(
      (one) =>
        !isOperation(one, words) ||
        !isNumberNamed ||
        OPERATION_WORDS.has(words[one.from - 1] ?? ""),
    )
    .sort((a, b) => a.from - b.from);
}

/**
 * A column may be named `total`: the word means the column only where it cannot be the operation.
 */
function isOperation({ from, to }: Mention, words: readonly string[]): boolean {
  return to - from === 1 && OPERATION_WORDS.has(words[from] ?? "");
}

function cellMentions(words: readonly string[], { hits }: TableProfile): Mention[] {
  const byStem = new Map<string, { [column: string]: string | number | boolean }>();
  for (const { phrase, column, value } of hits)
    byStem.set(stem(phrase), { ...byStem.get(stem(phrase)), [column]: value });
  const mentions: Mention[] = [];
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to <= Math.min(words.length, from + PHRASE_MAX_WORDS); to += 1) {
      const phrase = words.slice(from, to).join(" ");
      const cells = byStem.get(stem(phrase));
      // `no fee` does not speak of a cell that says no; `insured is no` does.
      const isNegation =
        /^(?:no|not|none|nothing)$/.test(phrase) &&
        !/^(?:is|are|was|were|=)$/.test(words[from - 1] ?? "");
      if (!cells || isNegation || (to - from === 1 && OPERATION_WORDS.has(phrase))) continue;
      mentions.push({ from, to, columns: [], value: cells, isExact: true });
    }
  }
  return mentions;
}

function columnMentions(words: readonly string[], { columns }: TableProfile): Mention[] {
  const hasDates = columns.some(({ kind }) => kind === "date");
  const mentions: Mention[] = [];
  for (let from = 0; from < words.length; from += 1) {
    const runs = columns.flatMap((column) => {
      const run = runAt(words, from, column, hasDates);
      return run === null ? [] : [{ column, ...run }];
    });
    const longest = Math.max(0, ...runs.map(({ to }) => to));
    const best = runs.filter(({ to }) => to === longest);
    const whole = best.filter(({ isExact }) => isExact);
    const chosen =
      whole.length > 0
        ? whole
        : best.filter(({ score }) => score === Math.max(...best.map((run) => run.score)));
    if (chosen.length > 0)
      mentions.push({
        from,
        to: longest,
        columns: chosen.map(({ column }) => column),
        value: null,
        isExact: whole.length > 0,
      });
  }
  return mentions;
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
    const fits = [...left]
      .map((part) => ({ part, fit: fitOf(word, part) }))
      .sort((a, b) => b.fit - a.fit)[0];
    if (fits && fits.fit > 0) {
      left.delete(fits.part);
      to = place + 1;
      score += fits.fit;
    } else if (place === from || !isFunctionWord(word)) break;
  }
  if (to === from) return null;
  // A unit in brackets need not be said.
  const unit = nameWords(inBrackets(name));
  const isExact = [...left].every((part) => unit.includes(part) && unit.length < all.length);
  const single = to - from === 1 ? (words[from] ?? "") : "";
  // `seen at`, `no rating`: small words name a column called `at` or `job_no` only where they are
  // said to.
  const isSaid = /^(?:by|per|column|each)$/.test(words[from - 1] ?? "");
  if (isFunctionWord(single) && !(isExact && isSaid)) return null;
  if (
    /^(?:no|id|nr|key|code|out|up|off|by|not|will)$/.test(single) &&
    !(isExact && (isSaid || single === "id"))
  )
    return null;
  const next = words[to];
  // `Close ticket 5` does not speak of the column `hours_to_close`.
  const isOrder =
    from === 0 && single !== "" && next !== undefined && !/^(?:of|by|per|for|in|and)$/.test(next);
  const isTaken = isOrder || OPERATION_WORDS.has(single) || (PERIOD_WORDS.has(single) && hasDates);
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

const SHORT: { [word: string]: string } = {
  hrs: "hours",
  hr: "hours",
  qty: "quantity",
  yrs: "years",
};

function plainLetters(word: string): string {
  const spelt = word
    .replaceAll("ä", "ae")
    .replaceAll("ö", "oe")
    .replaceAll("ü", "ue")
    .replaceAll("ß", "ss");
  return spelt.normalize("NFKD").replace(/\p{M}/gu, "");
}

/**
 * How well a word stands for a word of a name: the same, or the one is short for the other (`temp`,
 * `temperature`; `qty` is not).
 */
function fitOf(word: string, part: string): number {
  const [a, b] = [plainLetters(stem(SHORT[word] ?? word)), plainLetters(stem(SHORT[part] ?? part))];
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
  for (const text of texts) {
    const words = toWords(text);
    for (let from = 0; from < words.length; from += 1) {
      for (let to = from + 1; to <= Math.min(words.length, from + PHRASE_MAX_WORDS); to += 1) {
        if (phrases.size >= maxPhrases) return [...phrases];
        if (words.slice(from, to).some((word) => !isFunctionWord(word)))
          phrases.add(words.slice(from, to).join(" "));
      }
    }
  }
  return [...phrases];
}

const DATE = /\d{4}-\d{2}-\d{2}|\d{4}-q[1-4]/y;
const NUMBER = /-?\d+(?:,\d{3})*(?:\.\d+)?/y;
const SIGN = /[<>]=?|=|%/y;
const WORD = /[\p{L}\p{N}]+/uy;

/** The words, numbers and signs of a clause in lower case. */
export function toWords(text: string): string[] {
  const line = text
    .replace(/n['’]t\b/gi, " not")
    .replace(/['’]s\b/g, "")
    .toLowerCase();
  const words: string[] = [];
  const take = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(line)?.[0] ?? "";
  };
  const isLetter = (at: number) => take(WORD, at) !== "";
  let isWithin = false;
  // `12.5x` is no number, and its parts are none of their own.
  let noNumberBefore = 0;
  for (let at = 0; at < line.length; ) {
    const mayBeNumber = !isWithin && at >= noNumberBefore;
    const number = mayBeNumber ? take(NUMBER, at) : "";
    const isNumber = number !== "" && !isLetter(at + number.length);
    if (number !== "" && !isNumber) noNumberBefore = at + number.length;
    const word = take(DATE, at) || (isNumber ? number : "") || take(SIGN, at) || take(WORD, at);
    if (word !== "") words.push(word);
    isWithin = /[\p{L}\p{N}]$/u.test(word);
    at += Math.max(1, word.length);
  }
  return words;
}
