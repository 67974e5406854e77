import "server-only";
import { keywordsOf, sentencesOf } from "./words";

export interface Source {
  name: string;
  text: string;
  /** Whether `text` is all of it. */
  isWhole: boolean;
}

interface Quote {
  source: string;
  text: string;
  place: number;
  words: string[];
}

const QUOTES_MAX = 6;
const QUOTE_MAX_CHARACTERS = 400;
const SUMMARY = /\b(?:summar\w*|overview|key (?:points|facts|takeaways)|main points|tl;?dr|digest|gist|highlights)\b/i;

/** Things that can be picked out of a text by their form. */
const FORMS: [wanted: RegExp, name: string, pattern: RegExp][] = [
  [/\be-?mails?(?: address(?:es)?)?\b/i, "E-mail addresses", /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g],
  [/\b(?:urls?|links?|web addresses)\b/i, "Links", /https?:\/\/[^\s<>()"']{1,500}/g],
  [
    /\bdates?\b/i,
    "Dates",
    /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? \d{1,2},? \d{4}\b/g,
  ],
  [/\b(?:action items?|to-?dos?|open tasks)\b/i, "Open items", /^[ \t]*(?:[-*] \[ \].*|(?:[-*][ \t]*)?(?:TODO|ACTION)\b.*)$/gim],
  [/\b(?:headings?|sections?|outline|table of contents)\b/i, "Headings", /^#{1,6} .{1,200}$/gm],
];

/** An answer made of the texts' own sentences, each with the name of its source. Nothing is added to them. */
export function quoteSources(question: string, sources: readonly Source[]): string {
  const forms = FORMS.filter(
    ([wanted]) => wanted.test(question) && /\b(?:extract|list|find|all|which|what|show|give|collect)\b/i.test(question),
  );
  const picked = forms.flatMap(([, name, pattern]) => describeForm(name, pattern, sources));
  if (picked.length > 0) return [...picked, describeSources(sources)].join("\n\n");
  const quotes = sources.flatMap(toQuotes);
  const best = SUMMARY.test(question) ? centralQuotes(quotes) : matchingQuotes(question, quotes);
  if (best.length === 0)
    return `Nothing in ${sources.map(({ name }) => `\`${name}\``).join(", ")} matches the question. The built-in model only finds what is worded alike; a real model may find more.`;
  const lead = SUMMARY.test(question) ? "The sentences that carry the most of the text:" : "What the text says to this:";
  return [lead, best.map(({ text, source }) => `- “${text}” [${source}]`).join("\n"), describeSources(sources)].join("\n\n");
}

function describeForm(name: string, pattern: RegExp, sources: readonly Source[]): string[] {
  const lines = sources.flatMap((source) =>
    [...new Set(source.text.match(pattern) ?? [])].slice(0, 100).map((found) => `- ${found.trim()} [${source.name}]`),
  );
  return lines.length > 0 ? [`**${name}**\n${lines.join("\n")}`] : [];
}

function describeSources(sources: readonly Source[]): string {
  const partly = sources.filter((source) => !source.isWhole).map(({ name }) => `\`${name}\``);
  const note = partly.length > 0 ? ` Only the first pages of ${partly.join(", ")} were read.` : "";
  return `Quoted word for word from ${sources.map(({ name }) => (name.includes(" ") ? name : `\`${name}\``)).join(", ")}; the built-in model does not rephrase.${note}`;
}

function toQuotes({ name, text }: Source): Quote[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "").replace(/<[^>]{1,200}>/g, " ");
  return sentencesOf(prose)
    .map((sentence) =>
      sentence
        .replace(/^(?:[-*+>]|\d+[.)])\s+/, "")
        .replace(/^#{1,6}\s+/, "")
        .trim(),
    )
    .filter((sentence) => sentence.length > 15)
    .map((sentence, place) => ({ source: name, text: cut(sentence), place, words: keywordsOf(sentence) }));
}

function cut(sentence: string): string {
  return sentence.length > QUOTE_MAX_CHARACTERS ? `${sentence.slice(0, QUOTE_MAX_CHARACTERS)}…` : sentence;
}

/** Words that few sentences share say more than those that all do. */
function matchingQuotes(question: string, quotes: readonly Quote[]): Quote[] {
  const wanted = new Set(keywordsOf(question));
  const spread = countWords(quotes);
  const scored = quotes.map((quote) => {
    const hits = [...new Set(quote.words)].filter((word) => wanted.has(word));
    return { quote, score: hits.reduce((sum, word) => sum + Math.log(1 + quotes.length / (spread.get(word) ?? 1)), 0) };
  });
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  const enough = (best[0]?.score ?? 0) * 0.45;
  return best
    .filter(({ score }) => score >= enough)
    .slice(0, QUOTES_MAX)
    .map(({ quote }) => quote);
}

/** Sentences whose words recur most, in their order. */
function centralQuotes(quotes: readonly Quote[]): Quote[] {
  const spread = countWords(quotes);
  const scored = quotes.map((quote) => {
    const unique = [...new Set(quote.words)];
    const weight = unique.reduce((sum, word) => sum + ((spread.get(word) ?? 1) - 1), 0);
    return { quote, score: unique.length < 4 ? 0 : weight / Math.sqrt(unique.length) + (quote.place === 0 ? 1 : 0) };
  });
  const best = scored
    .sort((a, b) => b.score - a.score)
    .slice(0, QUOTES_MAX)
    .map(({ quote }) => quote);
  return quotes.filter((quote) => best.includes(quote));
}

function countWords(quotes: readonly Quote[]): Map<string, number> {
  const spread = new Map<string, number>();
  for (const quote of quotes) for (const word of new Set(quote.words)) spread.set(word, (spread.get(word) ?? 0) + 1);
  return spread;
}
