import "server-only";
import { cut, keywordsOf, sentencesOf } from "./language";
import type { InlineTables } from "./table-query";

export interface Source {
  name: string;
  text: string;
  /** Whether `text` is all of it. */
  isWhole: boolean;
}

/** Quotes that answer; or the nearest one, with the words of the question that it does not hold. */
export interface Quotes {
  text: string;
  missing: string[];
}

const QUOTES_MAX = 6;
const FOUND_MAX = 100;
const FORMS: [wanted: RegExp, pattern: RegExp][] = [
  [/\be-?mail(?: address(?:es)?)?s?\b/i, /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g],
  [/\b(?:urls?|links?|web addresses)\b/i, /https?:\/\/[^\s<>()"']{1,500}/g],
  [
    /\b(?:to-?dos?|action items?|open (?:items|tasks))\b/i,
    /^[ \t]*(?:[-*] \[ \].*|(?:[-*][ \t]*)?(?:TODO|ACTION)\b.*)$/gim,
  ],
];
/** What a sentence must hold that answers such a question. */
const ASKED: [asked: RegExp, holds: (sentence: string, question: string) => boolean][] = [
  [/\bwho\b|\bname of\b|\bcalled\?*$/i, namesSomebody],
  [
    /\bwhy\b|\bhow come\b|\breasons? for\b/i,
    (sentence) => /\b(?:because|due to|since|caused|reason|owing to|so that)\b/i.test(sentence),
  ],
  [/\bhow much\b/i, (sentence) => /\d/.test(sentence) && !sentence.startsWith("|")],
];
const ASKING = /\bhow much\b|\bwhy\b|\bhow come\b/i;
/** What holds by now no sentence says by itself. */
const BY_NOW =
  /\b(?:now|nowadays|currently|at present|at the moment|these days|today|still|any ?more)\b/i;

/**
 * Answers a question by sentences of the texts, word for word, each with its source; nothing is
 * added to them. Only a sentence that holds every word of the question is one.
 */
export function quoteTexts(question: string, sources: readonly Source[]): Quotes {
  const bare = sources.reduce((rest, { name }) => rest.replaceAll(name, " "), question).trim();
  const time = BY_NOW.exec(bare)?.[0];
  if (time !== undefined) return { text: "", missing: [time] };
  const [wanted, pattern] = FORMS.find(([form]) => form.test(bare)) ?? [];
  if (wanted && pattern && keywordsOf(bare.replace(wanted, " ")).every((word) => ORDERS.has(word)))
    return found(sources, pattern, wanted.exec(bare)?.[0] ?? "");
  const [, holds] = ASKED.find(([asked]) => asked.test(bare)) ?? [];
  const words = new Set(keywordsOf(bare.replace(ASKING, " ")));
  const sentences = sources
    .flatMap(sentencesIn)
    .filter(({ text }) => holds === undefined || holds(text, bare));
  return matching([...words], sentences);
}

/** What the order for such a list may hold beside its form. */
const ORDERS = new Set(["extract", "collect", "all", "not", "text", "document"]);

function found(sources: readonly Source[], pattern: RegExp, form: string): Quotes {
  const quotes = sources.flatMap(({ name, text }) =>
    [...new Set(text.match(pattern) ?? [])]
      .slice(0, FOUND_MAX)
      .map((text) => ({ text: text.trim(), source: name })),
  );
  return quotes.length > 0
    ? { text: toList("Found by their form:", quotes), missing: [] }
    : { text: "", missing: [form] };
}

/**
 * Whether a sentence holds a name that the question does not: a word with a capital within it, or
 * two at its start.
 */
function namesSomebody(sentence: string, question: string): boolean {
  const words = sentence.match(/[\p{L}\p{N}'\u2019-]+/gu) ?? [];
  const isName = (word: string | undefined) =>
    word !== undefined &&
    /^\p{Lu}\p{Ll}/u.test(word) &&
    !question.includes(word) &&
    !DATE_WORDS.has(word.toLowerCase());
  return (
    words.some((word, at) => (at > 0 || isName(words[1])) && isName(word)) || /@\w/.test(sentence)
  );
}

/** Words with a capital that name no person. */
const DATE_WORDS = new Set(
  (
    "january february march april may june july august september october november december " +
    "monday tuesday wednesday thursday friday saturday sunday"
  ).split(" "),
);

const TABLE = /^#{1,6} +(.+)$|^((?:[ \t]*\|.*\|[ \t]*(?:\n|$)){3,})/gm;

/** The tables of Markdown that texts hold, as CSV, by their headings. */
export function tablesIn(sources: readonly Source[]): InlineTables {
  const tables: InlineTables = {};
  for (const { name, text } of sources.filter(({ isWhole }) => isWhole)) {
    let heading = "";
    for (const [, title, table = ""] of text.matchAll(TABLE)) {
      if (title !== undefined) heading = title.trim();
      const [header, rule, ...rows] = table.trim().split("\n").map(cellsOf);
      const isTable =
        rule?.every((cell) => /^:?-+:?$/.test(cell)) &&
        rows.every(({ length }) => length === header?.length);
      if (header && isTable)
        tables[[name, heading].filter(Boolean).join(", ")] = [header, ...rows]
          .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
          .join("\n");
    }
  }
  return tables;
}

function cellsOf(row: string): string[] {
  const cells = row
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/);
  return cells.map((cell) => cell.trim());
}

const SENTENCE_MIN_CHARACTERS = 8;

interface Sentence {
  text: string;
  source: string;
  words: Set<string>;
}

function sentencesIn({ name, text }: Source): Sentence[] {
  let heading = "";
  return sentencesOf(text.replace(/^```[\s\S]*?^```/gm, "")).flatMap((line) => {
    const title = /^#{1,6}\s+(.+)/.exec(line)?.[1];
    if (title) heading = title;
    const plain = line.replace(/^(?:[-*+>]|\d+[.)])\s+/, "").trim();
    const words = new Set([...keywordsOf(plain), ...keywordsOf(heading)]);
    return title || plain.length < SENTENCE_MIN_CHARACTERS
      ? []
      : [{ text: plain, source: name, words }];
  });
}

/** The sentences that hold every word; where none does, the words that the nearest one lacks. */
function matching(wanted: readonly string[], sentences: readonly Sentence[]): Quotes {
  if (wanted.length === 0) return { text: "", missing: ["anything that can be looked for"] };
  let missing = wanted;
  let nearest: Sentence | null = null;
  const quotes: Sentence[] = [];
  for (const sentence of sentences) {
    const lacks = wanted.filter((word) => !sentence.words.has(word));
    if (lacks.length < missing.length) {
      missing = lacks;
      nearest = sentence;
    }
    if (lacks.length === 0 && quotes.length < QUOTES_MAX) quotes.push(sentence);
  }
  if (missing.length === 0)
    return { text: toList("What the text says to this:", quotes), missing: [] };
  const isNear = wanted.length - missing.length >= Math.max(2, wanted.length / 2);
  const text = isNear && nearest ? toList("The nearest sentence:", [nearest]) : "";
  return { text, missing: [...missing] };
}

function toList(lead: string, quotes: readonly { text: string; source: string }[]): string {
  return (
    `${lead}\n\n` +
    `${quotes.map(({ text, source }) => `- “${cut(text, 400)}” [${source}]`).join("\n")}`
  );
}
