import "server-only";
import { trimEnd } from "@/lib/model/text/trim";
import { cut, escapeText, keywordsOf, quote, sentencesOf } from "./language";
import type { InlineTables } from "./table-query";

export interface Source {
  name: string;
  text: string;
  /** Whether `text` is all of it. */
  isWhole: boolean;
}

/** Quotes that answer; `missing` are the words of the question that they do not hold. */
export interface Quotes {
  text: string;
  missing: string[];
}

const QUOTES_MAX = 6;
const SUMMARY =
  /^(?:please )?(?:summari[sz]e|sum up|give (?:me |us )?(?:a |an )?(?:short |brief )?(?:summary|overview)(?: of)?|(?:a )?summary of|what (?:are|is) the (?:key|main) points?(?: of| in)?)\b/i;
const FORMS: [wanted: RegExp, pattern: RegExp][] = [
  [/^e-?mail(?: address(?:es)?)?s?$/i, /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g],
  [/^(?:urls?|links?|web addresses)$/i, /https?:\/\/[^\s<>()"']{1,500}/g],
  [
    /^dates?$/i,
    /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? \d{1,2},? \d{4}\b/g,
  ],
  [/^headings?$/i, /^#{1,6} .{1,200}$/gm],
  [
    /^(?:to-?dos?|action items?|open (?:items|tasks))$/i,
    /^[ \t]*(?:[-*] \[ \].*|(?:[-*][ \t]*)?(?:TODO|ACTION)\b.*)$/gim,
  ],
];

/**
 * Answers a question by sentences of the texts, word for word, each with its source; nothing is
 * added to them.
 */
export function quoteTexts(question: string, sources: readonly Source[]): Quotes {
  const names = sources.map(({ name }) => name).join("|");
  const bare = question
    .replace(/[\w./-]+/g, (run) => {
      const name = trimEnd(run, "./-");
      return /\.\w{1,8}$/.test(name) && names.includes(name) ? run.slice(name.length) : run;
    })
    .trim();
  const sentences = sources.flatMap(toSentences);
  if (SUMMARY.test(bare)) {
    const rest = keywordsOf(
      bare
        .replace(SUMMARY, "")
        .replace(
          /\b(?:notes?|texts?|documents?|workspace|it|them|this|short(?:ly)?|brief(?:ly)?)\b/gi,
          "",
        ),
    );
    return {
      text: toList(
        "An extract of the sentences that carry most of the text, word for word:",
        central(sentences),
      ),
      missing: rest,
    };
  }
  const form =
    /^(?:extract|list|find|collect|show|what are|give me)\b(?: me)?(?: all)?(?: of)?(?: the)? (.+?)(?: (?:in|from|of) (?:the|this|my|all)? ?(?:files?|notes?|texts?|documents?)?)?[.?!]?$/i.exec(
      bare,
    )?.[1] ?? "";
  const pattern = FORMS.find(([wanted]) => wanted.test(form.trim()))?.[1];
  if (pattern) {
    const found = sources.flatMap(({ name, text }) =>
      [...new Set(text.match(pattern) ?? [])]
        .slice(0, 100)
        .map((text) => ({ text: text.trim(), source: name })),
    );
    return {
      text: found.length > 0 ? toList("Found by their form:", found) : "",
      missing: found.length > 0 ? [] : [form],
    };
  }
  // What holds by now no sentence says by itself, unless it says so.
  const time =
    /\b(?:now|nowadays|currently|at present|at the moment|these days|today|still|any ?more)\b/i.exec(
      bare,
    )?.[0];
  if (time !== undefined) return { text: "", missing: [time] };
  // `How much` asks for a figure: a sentence that has one answers it.
  const isMuch = /\bhow much\b/i.test(bare);
  const wanted = keywordsOf(
    bare.replace(/\bhow much\b|\bwhy\b|\bhow come\b/i, " ").replace(/\bfree of charge\b/i, "free"),
  );
  const isWho = /\bwho\b|\bname of\b|\bcalled\?*$/i.test(bare);
  const isWhy = /\bwhy\b|\bhow come\b|\breasons? for\b/i.test(bare);
  return matching(
    [...new Set(wanted)],
    isWho
      ? sentences.filter(({ text }) => namesSomebody(text, bare))
      : isWhy
        ? sentences.filter(({ text }) =>
            /\b(?:because|due to|since|caused|reason|owing to|as a result|therefore|so that|in order)\b/i.test(
              text,
            ),
          )
        : isMuch
          ? sentences.filter(
              (sentence) => /\d/.test(sentence.text) && !sentence.text.startsWith("|"),
            )
          : sentences,
  );
}

/**
 * Whether a sentence holds a name that the question does not: a word with a capital within it, or
 * two at its start.
 */
function namesSomebody(sentence: string, question: string): boolean {
  const words = sentence.match(/[\p{L}\p{N}'’-]+/gu) ?? [];
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

const LOG_LINE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)\S*\s+\[?([A-Z]{3,8})\]?:?\s(.*)$/s;
const LOG_LINES_MIN = 5;

/**
 * The tables that texts hold, as CSV: those of Markdown by their headings, and a log, whose lines
 * all begin with a time and a level.
 */
export function tablesIn(sources: readonly Source[]): InlineTables {
  const tables: InlineTables = {};
  const csv = (rows: readonly (readonly string[])[]) =>
    rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\n");
  for (const { name, text } of sources.filter(({ isWhole }) => isWhole)) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const log = lines.flatMap((line) => {
      const [, ...cells] = LOG_LINE.exec(line.trim()) ?? [];
      return cells.length > 0 ? [cells.map((cell) => cell.trim())] : [];
    });
    if (log.length >= LOG_LINES_MIN && log.length === lines.length)
      tables[name] = csv([["day", "time", "level", "message"], ...log]);
    let heading = "";
    for (const [, title, table = ""] of text.matchAll(
      /^#{1,6} +(.+)$|^((?:[ \t]*\|.*\|[ \t]*(?:\n|$)){3,})/gm,
    )) {
      if (title !== undefined) heading = title.trim();
      const rows = table
        .trim()
        .split("\n")
        .map((row) =>
          row
            .trim()
            .slice(1, -1)
            .split(/(?<!\\)\|/)
            .map((cell) => cell.trim()),
        );
      const isTable =
        rows.length > 2 &&
        rows[1]?.every((cell) => /^:?-+:?$/.test(cell)) &&
        rows.every(({ length }) => length === rows[0]?.length);
      if (isTable)
        tables[[name, heading].filter(Boolean).join(", ")] = csv(rows.filter((_, at) => at !== 1));
    }
  }
  return tables;
}

interface Sentence {
  text: string;
  source: string;
  words: Set<string>;
}

function toSentences({ name, text }: Source): Sentence[] {
  let heading = "";
  return sentencesOf(text.replace(/^```[\s\S]*?^```/gm, "")).flatMap((line) => {
    const title = /^#{1,6}\s+(.+)/.exec(line)?.[1];
    if (title) heading = title;
    const plain = line.replace(/^(?:[-*+>]|\d+[.)]|#{1,6})\s+/, "").trim();
    return title || plain.length < 8
      ? []
      : [
          {
            text: plain,
            source: name,
            words: new Set([...keywordsOf(plain), ...keywordsOf(heading)]),
          },
        ];
  });
}

/**
 * The sentences that hold every word of the question; where none does, that is said, with the
 * nearest one.
 */
function matching(wanted: readonly string[], sentences: readonly Sentence[]): Quotes {
  const heldBy = ({ words }: Sentence) => wanted.filter((word) => words.has(word)).length;
  const most = sentences.reduce((best, sentence) => Math.max(best, heldBy(sentence)), 0);
  const best = sentences
    .filter((sentence) => most > 0 && heldBy(sentence) === most)
    .slice(0, QUOTES_MAX);
  const [first] = best;
  const missing =
    wanted.length === 0
      ? ["anything that can be looked for"]
      : wanted.filter((word) => !first?.words.has(word));
  if (missing.length === 0) return { text: toList("What the text says to this:", best), missing };
  return {
    text:
      first && most >= Math.max(2, wanted.length / 2)
        ? `The nearest sentence is ${quote(escapeText(first.text))} [${first.source}].`
        : "",
    missing,
  };
}

/** The sentences whose words recur most, in their order. */
function central(sentences: readonly Sentence[]): Sentence[] {
  const spread = new Map<string, number>();
  for (const { words } of sentences)
    for (const word of words) spread.set(word, (spread.get(word) ?? 0) + 1);
  const weight = ({ words }: Sentence) =>
    words.size < 3
      ? 0
      : [...words].reduce((sum, word) => sum + (spread.get(word) ?? 1) - 1, 0) /
        Math.sqrt(words.size);
  const weighed = sentences
    .map((sentence) => ({ sentence, weight: weight(sentence) }))
    .sort((a, b) => b.weight - a.weight);
  const best = new Set(weighed.slice(0, QUOTES_MAX).map(({ sentence }) => sentence));
  return sentences.filter((sentence) => best.has(sentence));
}

function toList(lead: string, quotes: readonly { text: string; source: string }[]): string {
  return quotes.length === 0
    ? ""
    : `${lead}\n\n${quotes.map(({ text, source }) => `- “${cut(text, 400)}” [${source}]`).join("\n")}`;
}
