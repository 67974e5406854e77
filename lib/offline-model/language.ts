import "server-only";
import { FUNCTION_WORDS, NUMBERS, ORDINALS } from "./lexicon";

export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

/** A word without its English plural. */
export function stem(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length > 4 && lower.endsWith("ies")) return `${lower.slice(0, -3)}y`;
  if (lower.length > 4 && /(?:ss|x|ch|sh|zz)es$/.test(lower)) return lower.slice(0, -2);
  if (lower.length > 3 && lower.endsWith("s") && !/(?:ss|us|is)$/.test(lower))
    return lower.slice(0, -1);
  return lower;
}

/** The words of a name such as `temp_max`, `unitPrice` or `Body Mass (g)`, in lower case. */
export function nameWords(name: string): string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/**
 * Stems of the words of a text that say something; verbs without their endings, so that `ends`,
 * `ended` and `end` are one.
 */
export function keywordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+(?:[.'\u2019][\p{L}\p{N}]+)*/gu) ?? [])
    .map((word) => word.replace(/['\u2019]s$/, ""))
    .filter((word) => word.length > 1 && !FUNCTION_WORDS.has(word))
    .map((word) => stem(word).replace(/^(\p{L}{3,}?)(?:ing|ed|e)$/u, "$1"));
}

const ABBREVIATIONS = new Set(["Mr", "Mrs", "Ms", "Dr", "Prof", "St", "e.g", "i.e"]);
const ABBREVIATION_MAX_CHARACTERS = 6;

/** Whether the full stop at a place ends a sentence, and not an abbreviation or an initial. */
function isStop(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - ABBREVIATION_MAX_CHARACTERS), at);
  const word = before.slice(Math.max(before.search(/[\s(][^\s(]*$/) + 1, 0));
  return !ABBREVIATIONS.has(word) && !/^\p{Lu}$/u.test(word);
}

/** The sentences and lines of a text, trimmed, empty ones left out. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: gap, index } of text.matchAll(/\s+/g)) {
    const end = text.charAt(index - 1);
    const begins = /^[\p{Lu}\p{N}"\u201c'([-]/u.test(text.slice(index + gap.length).slice(0, 2));
    const isEnd =
      gap.includes("\n") ||
      "!?;".includes(end || " ") ||
      (end === "." && begins && isStop(text, index - 1));
    if (!isEnd) continue;
    sentences.push(text.slice(start, index));
    start = index + gap.length;
  }
  return [...sentences, text.slice(start)]
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** `12`, `1,234.5` or `twelve`; null for anything else. */
export function numberOf(word: string): number | null {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d+(?:\.\d+)?$/.test(word))
    return Number(word.replaceAll(",", ""));
  const at = NUMBERS.indexOf(word.toLowerCase());
  return at < 0 ? null : at;
}

/** `second`, `2nd`; null for anything else. */
export function ordinalOf(word: string): number | null {
  const digits = /^(\d{1,3})(?:st|nd|rd|th)$/i.exec(word)?.[1];
  if (digits) return Number(digits);
  const at = ORDINALS.indexOf(word.toLowerCase());
  return at < 0 ? null : at;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Cut to a length, with a mark where something is left out; never within one of two code units. */
export function cut(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters
    ? text
    : `${text.slice(0, maxCharacters - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

export function quote(text: string): string {
  return `“${cut(text.replace(/\s+/g, " ").trim(), 200)}”`;
}

/** Text of a file inside Markdown: it makes no link, image, code, tag or column. */
export function escapeText(text: string): string {
  return text.replace(/[\r\n]+/g, " ").replace(/[\\|`!<[\]]/g, (sign) => `\\${sign}`);
}
