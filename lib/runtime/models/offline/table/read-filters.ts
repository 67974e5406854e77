import "server-only";
import type { Mention } from "./find-mentions";
import { MONTH_NAMES, numberOf } from "./question-words";
import type { TableColumn, TableProfile, ValueHit } from "./table-profile";
import type { Filter, FilterOp } from "./table-query";

const NEGATIONS = new Set("not except excluding without exclude".split(" "));
const COMPARISONS: [RegExp, FilterOp][] = [
  [/^(?:>=|at least|not less than|no less than|minimum of) ?$/, ">="],
  [/^(?:<=|at most|not more than|no more than|up to) ?$/, "<="],
  [/^(?:>|over|above|more than|greater than|larger than|higher than|exceeding|exceeds|exceed) ?$/, ">"],
  [/^(?:<|under|below|less than|lower than|smaller than|fewer than) ?$/, "<"],
];
const LONGEST_COMPARISON_WORDS = 3;

/** The conditions of a clause: values it names, comparisons, years and months. Marks the words it has used. */
export function readFilters(words: readonly string[], table: TableProfile, mentions: readonly Mention[], used: Set<number>): Filter[] {
  return [
    ...valueFilters(words, table.hits, mentions, used),
    ...timeFilters(words, timeColumn(table, mentions), used),
    ...comparisons(words, table, mentions, used),
  ];
}

/** The column that years and months mean: the one that is mentioned, else the first date, else a column of years. */
export function timeColumn(table: TableProfile, mentions: readonly Mention[]): TableColumn | null {
  const isTime = (column: TableColumn) => column.kind === "date" || isYears(column);
  const mentioned = mentions.flatMap((mention) => mention.columns).find(isTime);
  return mentioned ?? table.columns.find((column) => column.kind === "date") ?? table.columns.find(isTime) ?? null;
}

export function isYears(column: TableColumn): boolean {
  const { kind, min, max, name } = column;
  return kind === "number" && /year|yr/i.test(name) && typeof min === "number" && typeof max === "number" && min >= 1000 && max <= 2200;
}

function valueFilters(words: readonly string[], hits: readonly ValueHit[], mentions: readonly Mention[], used: Set<number>): Filter[] {
  const byColumn = new Map<string, Filter>();
  const longestFirst = [...hits].sort((a, b) => b.phrase.length - a.phrase.length || b.count - a.count);
  for (const hit of longestFirst) {
    const at = findPhrase(words, hit.phrase, used);
    if (at === null) continue;
    // A word that names a column is no value, unless it names that value exactly and the column is not asked for.
    if (at.some((place) => mentions.some((mention) => mention.at.includes(place) && mention.score >= 2))) continue;
    for (const place of at) used.add(place);
    const isNegated =
      NEGATIONS.has(words[(at[0] ?? 0) - 1]?.toLowerCase() ?? "") ||
      /^other than$/i.test(words.slice(Math.max(0, (at[0] ?? 0) - 2), at[0]).join(" "));
    const op = isNegated ? "not in" : "in";
    const key = `${op} ${hit.column}`;
    const filter = byColumn.get(key) ?? { column: hit.column, op, values: [] };
    filter.values.push(hit.value);
    byColumn.set(key, filter);
  }
  return [...byColumn.values()];
}

function findPhrase(words: readonly string[], phrase: string, used: ReadonlySet<number>): number[] | null {
  const wanted = phrase.split(" ");
  for (let start = 0; start + wanted.length <= words.length; start += 1) {
    const at = wanted.map((_, index) => start + index);
    if (at.every((place, index) => words[place]?.toLowerCase() === wanted[index]?.toLowerCase() && !used.has(place))) return at;
  }
  return null;
}

function timeFilters(words: readonly string[], column: TableColumn | null, used: Set<number>): Filter[] {
  if (column === null) return [];
  const filters: Filter[] = [];
  const years = words.flatMap((word, place) =>
    /^(?:1[0-9]|20|21)\d\d$/.test(word) && !used.has(place) ? [{ year: Number(word), place }] : [],
  );
  const before = (place: number) => words[place - 1]?.toLowerCase() ?? "";
  const add = (op: FilterOp, year: number) => filters.push({ column: column.name, op, values: [year] });
  const [first, second] = years;
  if (
    first &&
    second &&
    /^(?:and|to|until|through|till)$/.test(before(second.place)) &&
    /^(?:from|between|years)$/.test(before(first.place))
  ) {
    add("year>=", first.year);
    add("year<=", second.year);
    used.add(first.place).add(second.place);
  } else if (first && isWithin(first.year, column)) {
    const word = before(first.place);
    if (word !== "before" && word !== "until") add("year>=", word === "after" ? first.year + 1 : first.year);
    if (!["since", "from", "after"].includes(word)) add("year<=", word === "before" ? first.year - 1 : first.year);
    used.add(first.place);
  }
  const months = words.flatMap((word, place) => {
    const month = MONTH_NAMES.indexOf(word.toLowerCase()) + 1;
    // `may` and `march` are verbs too: only behind a word of time do they count.
    return month > 0 && /^(?:in|during|of|for|and|every|each)$/.test(before(place)) && column.kind === "date" && !used.has(place)
      ? [{ month, place }]
      : [];
  });
  if (months.length > 0) filters.push({ column: column.name, op: "month=", values: months.map(({ month }) => month) });
  for (const { place } of months) used.add(place);
  return filters;
}

/** Whether a number may be one of the column's years. A bound may lie outside: `since 1900`. */
function isWithin(year: number, { min, max }: TableColumn): boolean {
  const from = Number(String(min).slice(0, 4));
  const to = Number(String(max).slice(0, 4));
  return year >= from - 100 && year <= to + 100;
}

function comparisons(words: readonly string[], table: TableProfile, mentions: readonly Mention[], used: Set<number>): Filter[] {
  const filters: Filter[] = [];
  for (const [place, word] of words.entries()) {
    const value = /\d/.test(word) ? numberOf(word) : null;
    if (value === null || used.has(place)) continue;
    const found = comparisonEnding(words, place) ?? comparisonAround(words, place, mentions) ?? equalityAround(words, place, mentions);
    const column = found && nearestNumber(table, mentions, place);
    if (!found || !column) continue;
    filters.push({ column: column.name, op: found.op, values: [value * scaleAfter(words, place)] });
    for (let at = found.start; at <= place; at += 1) used.add(at);
  }
  return filters;
}

function comparisonEnding(words: readonly string[], end: number): { op: FilterOp; start: number } | null {
  for (let length = Math.min(LONGEST_COMPARISON_WORDS, end); length > 0; length -= 1) {
    const text = words
      .slice(end - length, end)
      .join(" ")
      .toLowerCase();
    const known = COMPARISONS.find(([pattern]) => pattern.test(text));
    if (known) return { op: known[1], start: end - length };
  }
  return null;
}

/** `above magnitude 4`, `with a price over the value of 5`: the column stands between the comparison and its number. */
function comparisonAround(words: readonly string[], place: number, mentions: readonly Mention[]): { op: FilterOp; start: number } | null {
  const gap = /^(?:of|is)$/i.test(words[place - 1] ?? "") ? 1 : 0;
  const mention = mentions.find((candidate) => candidate.at.at(-1) === place - 1 - gap && candidate.columns[0]?.kind === "number");
  const start = mention?.at[0];
  if (start === undefined) return null;
  const article = /^(?:a|an|the)$/i.test(words[start - 1] ?? "") ? 1 : 0;
  return comparisonEnding(words, start - article);
}

/** `8 cylinders`, `cylinders is 8`: a number beside a measured column, without a word of comparison. */
function equalityAround(words: readonly string[], place: number, mentions: readonly Mention[]): { op: FilterOp; start: number } | null {
  const numeric = mentions.filter((mention) => mention.columns[0]?.kind === "number");
  const isRank = /^(?:top|first|last|bottom|best|worst|the)$/i.test(words[place - 1] ?? "");
  if (!isRank && numeric.some((mention) => mention.at[0] === place + 1)) return { op: "in", start: place };
  for (const gap of [1, 2, 3]) {
    const between = words
      .slice(place - gap + 1, place)
      .join(" ")
      .toLowerCase();
    const isBound =
      numeric.some((mention) => mention.at.at(-1) === place - gap) &&
      /^(?:|=|is|are|of|equals?|equal to|exactly|is exactly)$/.test(between);
    if (isBound) return { op: "in", start: place - gap + 1 };
  }
  return null;
}

function nearestNumber(table: TableProfile, mentions: readonly Mention[], place: number): TableColumn | null {
  const numeric = mentions.filter((mention) => mention.columns[0]?.kind === "number");
  const distance = (mention: Mention) => Math.min(...mention.at.map((at) => Math.abs(at - place)));
  const near = [...numeric].sort((a, b) => distance(a) - distance(b))[0];
  const only = table.columns.filter((column) => column.kind === "number");
  return near?.columns[0] ?? (only.length === 1 ? (only[0] ?? null) : null);
}

function scaleAfter(words: readonly string[], place: number): number {
  const next = words[place + 1]?.toLowerCase();
  return next === "million" ? 1e6 : next === "billion" ? 1e9 : next === "thousand" ? 1e3 : 1;
}
