import "server-only";
import { STOP_WORDS, stem } from "../words";
import { findMentions, type Mention } from "./find-mentions";
import { numberOf, OP_WORDS, PERIOD_WORDS, SUPERLATIVES } from "./question-words";
import { isYears, readFilters, timeColumn } from "./read-filters";
import { readLimit } from "./read-limit";
import type { Ask, Reading } from "./reading";
import type { TableColumn, TableProfile } from "./table-profile";
import { emptyQuery, type Group, type MeasureOp, type TableQuery } from "./table-query";
import { takeAsks } from "./take-asks";

/** What a clause asks of a table, as far as the rules see. */
export interface Question {
  query: TableQuery;
  /** Figures that name no column yet: a neighbour's or an earlier question's is meant. */
  openOps: MeasureOp[];
  /** Whether months may mean those of each year or those of the calendar. */
  isMonthOpen: boolean;
  /** Words of a condition that the table does not know. */
  ignored: string[];
}

/** Reads one clause. Null when it asks nothing that the table could answer. */
export function readQuestion(clause: string, table: TableProfile): Question | null {
  const words = clause.match(/[\p{L}\p{N}_]+(?:['’.,][\p{L}\p{N}]+)*|[<>]=?|%/gu) ?? [];
  const lower = words.map((word) => word.toLowerCase());
  const mentions = findMentions(
    words,
    table.columns.filter((column) => column.kind !== "empty"),
  );
  const reading: Reading = { words, lower, table, mentions, used: new Set() };
  const filters = readFilters(words, table, mentions, reading.used);
  const mentioned = new Set(mentions.flatMap((mention) => mention.at));
  for (const place of reading.used) removeMention(mentions, place);
  const groups = readGroups(reading);
  const asks = readAsks(reading);
  const query: TableQuery = { ...emptyQuery(), filters, groups: groups.groups };
  const openOps = takeAsks(query, asks, reading, groups.ranked);
  const isEmpty = query.measures.length === 0 && query.list === null && query.correlation === null;
  if (isEmpty && openOps.length === 0 && filters.length === 0 && groups.groups.length === 0 && query.limit === null) return null;
  groupCompared(query);
  return { query, openOps, isMonthOpen: groups.isMonthOpen, ignored: findIgnoredWords(reading, mentioned) };
}

/** Several values of one column are there to be compared. */
function groupCompared(query: TableQuery): void {
  const compared = query.filters.find((filter) => filter.op === "in" && filter.values.length > 1);
  if (compared && query.groups.length === 0 && query.list === null) query.groups.push({ column: compared.column, period: null });
}

function removeMention(mentions: Mention[], place: number): void {
  const index = mentions.findIndex((mention) => mention.at.includes(place));
  if (index >= 0) mentions.splice(index, 1);
}

const CONDITION_WORDS = /^(?:from|in|at|with|without|where|whose|for|are|is|was|were|of|named|called|made|during|by|only)$/;

/** Numbers, names and words of a condition that nothing in the table answers to: leaving them out in silence would be a lie. */
function findIgnoredWords({ words, lower, used, table }: Reading, mentioned: ReadonlySet<number>): string[] {
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

/** The words that ask for a figure, but those that are part of a column's name. */
function readAsks({ lower, mentions, used }: Reading): Ask[] {
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

const GROUP_WORDS = /^(?:per|by|each|every|across|within)$/;

/** The columns and periods to group by: behind `per`, `by` and their like, or behind `which`. */
function readGroups(reading: Reading): { groups: Group[]; isMonthOpen: boolean; ranked: boolean } {
  const { lower, mentions, used, table } = reading;
  const groups: Group[] = [];
  let isMonthOpen = false;
  let ranked = false;
  for (const [place, word] of lower.entries()) {
    const isAsked = /^(?:which|what)$/.test(word);
    const adjective = /ly$|^annual$/.test(word) ? PERIOD_WORDS.get(word) : undefined;
    const ranksNext = SUPERLATIVES.has(word) || /^(?:highest|lowest|largest|smallest|best|worst|biggest|top)$/.test(word);
    if (ranksNext && takeRankedPeriod(reading, place, groups)) {
      ranked = true;
      isMonthOpen ||= groups.some((group) => group.period === "month");
      continue;
    }
    if (!GROUP_WORDS.test(word) && !isAsked && adjective === undefined) continue;
    const found = adjective === undefined ? groupsAfter(reading, place) : periodGroup(reading, place, adjective);
    if (isAsked && (found.groups.length === 0 || !ranksGroups(lower.slice(place)))) continue;
    if (found.groups.length === 0) continue;
    if (isAsked) ranked = true;
    groups.push(...found.groups);
    const isCalendar = /\b(?:of the year|calendar months?|month of year)\b/.test(lower.join(" "));
    for (const group of found.groups) {
      if (group.period !== "month") continue;
      if (isCalendar) group.period = "calendar month";
      else isMonthOpen = true;
    }
    for (const at of found.at) used.add(at);
    used.add(place);
  }
  const taken = groups.map((group) => group.column);
  for (let index = mentions.length - 1; index >= 0; index -= 1) {
    const mention = mentions[index];
    if (mention?.at.some((at) => used.has(at)) && mention.columns.some((column) => taken.includes(column.name))) mentions.splice(index, 1);
  }
  const distinct = groups.filter(
    (group, index) => groups.findIndex((other) => other.column === group.column && other.period === group.period) === index,
  );
  return { groups: distinct.slice(0, 2), isMonthOpen: isMonthOpen && spansYears(table, distinct), ranked };
}

/** `the wettest month`: a period right behind a word of rank is what is ranked. */
function takeRankedPeriod(reading: Reading, place: number, groups: Group[]): boolean {
  const period = PERIOD_WORDS.get((reading.lower[place + 1] ?? "").replace(/s$/, ""));
  if (period === undefined || groups.length > 0) return false;
  groups.push(...periodGroup(reading, place + 1, period).groups);
  reading.used.add(place + 1);
  return groups.length > 0;
}

function ranksGroups(after: readonly string[]): boolean {
  return after.some((word) => ["max", "min"].includes(OP_WORDS.get(word) ?? "") || SUPERLATIVES.has(word));
}

function spansYears(table: TableProfile, groups: readonly Group[]): boolean {
  const column = table.columns.find(({ name }) => groups.some((group) => group.period === "month" && group.column === name));
  return typeof column?.min === "string" && typeof column.max === "string" && column.min.slice(0, 4) !== column.max.slice(0, 4);
}

/** A period, or up to two columns joined by `and`, right behind a word of grouping. */
function groupsAfter(reading: Reading, place: number): { groups: Group[]; at: number[] } {
  const { lower, mentions } = reading;
  const groups: Group[] = [];
  const at: number[] = [];
  let next = place + 1;
  for (let rounds = 0; rounds < 2; rounds += 1) {
    while (/^(?:the|a|each|every|calendar|single|of)$/.test(lower[next] ?? "")) next += 1;
    const word = (lower[next] ?? "").replace(/s$/, "");
    const mention = mentions.find((candidate) => candidate.at[0] === next);
    const period = PERIOD_WORDS.get(word) ?? (word === "day" ? "day" : undefined);
    const column = mention?.columns[0];
    if (column && isGroupable(column, reading, place)) {
      groups.push({ column: column.name, period: column.kind === "date" ? (period ?? "day") : null });
      at.push(...(mention?.at ?? []));
    } else if (period && timeColumn(reading.table, [])) {
      groups.push(...periodGroup(reading, next, period).groups);
      at.push(next);
    } else break;
    next = (at.at(-1) ?? next) + 1;
    if (!/^(?:and|by|per)$/.test(lower[next] ?? "")) break;
    next += 1;
  }
  return { groups, at };
}

function periodGroup({ table }: Reading, place: number, period: Group["period"]): { groups: Group[]; at: number[] } {
  const column = timeColumn(table, []);
  if (column === null) return { groups: [], at: [] };
  if (column.kind === "number")
    return period === "year" ? { groups: [{ column: column.name, period: null }], at: [place] } : { groups: [], at: [] };
  return { groups: [{ column: column.name, period }], at: [place] };
}

/** A measured column behind `by` is one to rank by, not to group by. */
function isGroupable(column: TableColumn, { lower }: Reading, place: number): boolean {
  if (column.kind !== "number" || isYears(column)) return column.kind !== "nested";
  if (
    lower[place] === "by" &&
    /\b(?:top|sort|sorted|rank|ranked|order|ordered|highest|largest|lowest|most)\b/.test(lower.slice(0, place).join(" "))
  )
    return false;
  return column.distinct <= 30;
}
