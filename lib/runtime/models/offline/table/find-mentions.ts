import "server-only";
import { stem } from "../words";
import { OP_WORDS, SYNONYMS } from "./question-words";
import type { TableColumn } from "./table-profile";

/** Columns that some words of a clause name; more than one when the words do not tell them apart. */
export interface Mention {
  columns: TableColumn[];
  /** Places of the words, ascending. */
  at: number[];
  score: number;
}

const FILLERS = new Set("of the in per and a an for to by is".split(" "));
const UNITS = new Set("mm cm km kg g lb lbs usd eur deg c f mi pct".split(" "));
const MAX_GAP = 2;

/** The mentions of columns among the words, best matches first to take a word. */
export function findMentions(words: readonly string[], columns: readonly TableColumn[]): Mention[] {
  const candidates = columns.flatMap((column) => mentionsOf(column, words));
  candidates.sort((a, b) => b.score - a.score || a.columns.length - b.columns.length);
  const chosen: Mention[] = [];
  for (const candidate of candidates) {
    const same = chosen.find((mention) => mention.score === candidate.score && mention.at.join() === candidate.at.join());
    if (same) same.columns.push(...candidate.columns);
    else if (!chosen.some((mention) => mention.at.some((place) => candidate.at.includes(place)))) chosen.push(candidate);
  }
  return chosen.sort((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0));
}

/** The words of a column's name that carry meaning. */
export function nameWords(name: string): string[] {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const meaning = words.filter((word) => !FILLERS.has(word) && !UNITS.has(word));
  return meaning.length > 0 ? meaning : words;
}

function mentionsOf(column: TableColumn, words: readonly string[]): Mention[] {
  const names = nameWords(column.name);
  const initials = column.name
    .split(/[^\p{L}\p{N}]+/u)
    .map((part) => part[0] ?? "")
    .join("")
    .toLowerCase();
  const found: Mention[] = [];
  for (let start = 0; start < words.length; start += 1) {
    if (initials.length > 2 && words[start]?.toLowerCase() === initials) {
      found.push({ columns: [column], at: [start], score: names.length });
      continue;
    }
    const mention = mentionAt(column, names, words, start);
    if (mention) found.push(mention);
  }
  return found;
}

/** The longest mention that starts at a place: words of the name in any order, with a filler between them at most. */
function mentionAt(column: TableColumn, names: readonly string[], words: readonly string[], start: number): Mention | null {
  const left = new Set(names);
  const at: number[] = [];
  let quality = 0;
  for (let place = start; place < words.length && left.size > 0; place += 1) {
    const word = words[place]?.toLowerCase() ?? "";
    const best = [...left].map((name) => ({ name, fit: fitOf(word, name) })).reduce((a, b) => (b.fit > a.fit ? b : a));
    if (best.fit > 0) {
      left.delete(best.name);
      at.push(place);
      quality += best.fit;
    } else if (place === start || !FILLERS.has(word) || place - (at.at(-1) ?? place) >= MAX_GAP) break;
  }
  if (at.length === 0) return null;
  // What is covered counts first, then how much of the name it is.
  return { columns: [column], at, score: quality + quality / names.length };
}

/** How well a word stands for a word of a name, from 0 to 1. */
function fitOf(word: string, name: string): number {
  const a = stem(word);
  const b = stem(name);
  if (a === b) return 1;
  if (FILLERS.has(a)) return 0;
  const isAbbreviated = b.length >= 3 && a.startsWith(b);
  if (isAbbreviated && a.length - b.length <= 7) return 0.85;
  if (OP_WORDS.has(a)) return 0;
  if (a.length >= 4 && b.startsWith(a)) return 0.8;
  return (SYNONYMS[a] ?? []).some((other) => stem(other) === b) ? 0.7 : 0;
}
