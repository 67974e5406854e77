import "server-only";
import { STOP_WORDS, stem } from "../words";
import { findMentions, type Mention, nameWords } from "./find-mentions";
import { numberOf, OP_WORDS, PERIOD_WORDS, SUPERLATIVES } from "./question-words";
import { isYears, readFilters, timeColumn } from "./read-filters";
import type { TableColumn, TableProfile } from "./table-profile";
import { emptyQuery, type Group, type Measure, type MeasureOp, type TableQuery } from "./table-query";

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

interface Ask {
  op: MeasureOp;
  at: number;
}
interface Reading {
  words: string[];
  lower: string[];
  table: TableProfile;
  mentions: Mention[];
  used: Set<number>;
}

const GROUP_WORDS = /^(?:per|by|each|every|across|within)$/;
const LIST_WORDS = /\b(?:list|show|which|find|who)\b/i;
const LIST_DEFAULT_ROWS = 10;
const LABELS_MAX = 3;
const RANKED_MAX_GROUPS = 10;

/** Reads one clause. Null when it asks nothing that the table could answer. */
export function readQuestion(clause: string, table: TableProfile): Question | null {
  const words = clause.match(/[\p{L}\p{N}_]+(?:['’.,][\p{L}\p{N}]+)*|[<>]=?|%/gu) ?? [];
  const lower = words.map((word) => word.toLowerCase());
  const mentions = findMentions(words, table.columns.filter((column) => column.kind !== "empty"));
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
  return { query, openOps, isMonthOpen: groups.isMonthOpen, ignored: ignoredWords(reading, mentioned) };
}

/** Several values of one column are there to be compared. */
function groupCompared(query: TableQuery): void {
  const compared = query.filters.find((filter) => filter.op === "in" && filter.values.length > 1);
  if (compared && query.groups.length === 0 && query.list === null) query.groups.push({ column: compared.column, period: null });
}

const CONDITION_WORDS = /^(?:from|in|at|with|without|where|whose|for|are|is|was|were|of|named|called|made|during|by|only)$/;

/** Numbers, names and words of a condition that nothing in the table answers to: leaving them out in silence would be a lie. */
function ignoredWords({ words, lower, used, table }: Reading, mentioned: ReadonlySet<number>): string[] {
  const known = (place: number) => used.has(place) || mentioned.has(place) || OP_WORDS.has(lower[place] ?? "") || PERIOD_WORDS.has((lower[place] ?? "").replace(/s$/, ""));
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

function removeMention(mentions: Mention[], place: number): void {
  const index = mentions.findIndex((mention) => mention.at.includes(place));
  if (index >= 0) mentions.splice(index, 1);
}

/** The columns and periods to group by: behind `per`, `by` and their like, or behind `which`. */
function readGroups(reading: Reading): { groups: Group[]; isMonthOpen: boolean; ranked: boolean } {
  const { lower, mentions, used, table } = reading;
  const groups: Group[] = [];
  let isMonthOpen = false;
  let ranked = false;
  for (const [place, word] of lower.entries()) {
    const isAsked = /^(?:which|what)$/.test(word);
    const adjective = /ly$|^annual$/.test(word) ? PERIOD_WORDS.get(word) : undefined;
    if (!GROUP_WORDS.test(word) && !isAsked && adjective === undefined) continue;
    const found = adjective === undefined ? groupsAfter(reading, place) : periodGroup(reading, place, adjective);
    if (isAsked && (found.groups.length === 0 || !ranksGroups(lower.slice(place)))) continue;
    if (found.groups.length === 0) continue;
    if (isAsked) ranked = true;
    groups.push(...found.groups);
    const isCalendar = isAsked || /\b(?:of the year|calendar months?|month of year)\b/.test(lower.join(" "));
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
  const distinct = groups.filter((group, index) => groups.findIndex((other) => other.column === group.column && other.period === group.period) === index);
  return { groups: distinct.slice(0, 2), isMonthOpen: isMonthOpen && spansYears(table, distinct), ranked };
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
  if (column.kind === "number") return period === "year" ? { groups: [{ column: column.name, period: null }], at: [place] } : { groups: [], at: [] };
  return { groups: [{ column: column.name, period }], at: [place] };
}

/** A measured column behind `by` is one to rank by, not to group by. */
function isGroupable(column: TableColumn, { lower }: Reading, place: number): boolean {
  if (column.kind !== "number" || isYears(column)) return column.kind !== "nested";
  if (lower[place] === "by" && /\b(?:top|sort|sorted|rank|ranked|order|ordered|highest|largest|lowest|most)\b/.test(lower.slice(0, place).join(" "))) return false;
  return column.distinct <= 30;
}

/** The words that ask for a figure, but those that are part of a column's name. */
function readAsks({ lower, mentions, used }: Reading): Ask[] {
  const named = new Set(mentions.flatMap((mention) => mention.at));
  const asks: Ask[] = [];
  for (const [at, word] of lower.entries()) {
    if (used.has(at)) continue;
    const next = lower[at + 1] ?? "";
    if (word === "how" && (next === "many" || next === "often")) asks.push({ op: "count", at });
    else if (word === "how" && next === "much") asks.push({ op: "sum", at });
    else if (word === "standard" && next === "deviation") asks.push({ op: "stddev", at });
    else if (word === "%") asks.push({ op: "share", at });
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

/** Puts the figures into the query; answers those that found no column. */
function takeAsks(query: TableQuery, asks: Ask[], reading: Reading, ranked: boolean): MeasureOp[] {
  const text = reading.lower.join(" ");
  const measured = reading.mentions.filter((mention) => mention.columns.some(isMeasurable));
  if (/\bcorrelat|\brelationship\b|\brelate[sd]?\b/.test(text)) return takeCorrelation(query, measured);
  const limit = readLimit(reading.lower);
  if (limit !== null) query.limit = limit;
  if (SORT_WORDS.test(text)) return takeOrder(query, asks, measured, reading, text);
  const superlative = findSuperlative(reading);
  if (superlative) measured.push({ columns: [superlative.column], at: [superlative.at], score: 0 });
  if (superlative && !asks.some((ask) => ask.op === superlative.op)) asks.push({ op: superlative.op, at: superlative.at });
  if (limit !== null && measured.length === 0 && query.groups.length === 0 && reading.mentions.length === 0 && asks.every((ask) => RANK_WORDS.test(reading.lower[ask.at] ?? ""))) return [];
  const extreme = asks.find((ask) => ask.op === "max" || ask.op === "min");
  const others = asks.filter((ask) => ask !== extreme);
  const isRanking = extreme !== undefined && (ranked || limit !== null || superlative !== null);
  if (isRanking && query.groups.length === 0 && limit !== null) groupByMentionedText(query, reading, text);
  if (isRanking && query.groups.length > 0) return rankGroups(query, others, measured, extreme, ranked ? (superlative?.over ?? (superlative ? "mean" : extreme.op)) : "sum");
  if (isRanking && measured.length > 0 && others.length === 0) return rankRows(query, reading, measured, extreme, limit);
  return takeFigures(query, asks, measured, reading);
}

const SORT_WORDS = /\b(?:sort|sorted|ranked?|ordered|order) (?:\w+ ){0,4}?(?:by|from|in|descending|ascending|alphabetically|highest|lowest|largest|smallest|most|least|per)\b|\b(?:descending|ascending)\b/;
const RANK_WORDS = /^(?:most|least|highest|lowest|largest|smallest|biggest|top|best|worst)$/;

/** `sorted from most to least`: words of rank that order the groups and ask for no figure. */
function takeOrder(query: TableQuery, asks: Ask[], measured: Mention[], reading: Reading, text: string): MeasureOp[] {
  const figures = asks.filter((ask) => !RANK_WORDS.test(reading.lower[ask.at] ?? ""));
  const open = takeFigures(query, figures, measured, reading);
  const isAscending = /\bascending\b|\b(?:least|lowest|smallest|fewest|worst)\b(?:(?! to\b).)*? (?:to|first)\b|\b(?:least|lowest|smallest) first\b/.test(text);
  if (query.groups.length > 0 && query.measures.length > 0) query.order = { measure: 0, descending: !isAscending };
  else if (query.groups.length === 0 && measured[0]?.columns[0] && figures.length === 0) {
    const by = measured.at(-1)?.columns[0]?.name ?? null;
    query.list = { by, descending: !isAscending, columns: labelColumns(reading.table, by === null ? [] : [by]), limit: query.limit ?? LIST_DEFAULT_ROWS };
    query.measures = [];
  }
  return open;
}

function isMeasurable(column: TableColumn): boolean {
  return column.kind === "number" || column.kind === "date";
}

function takeCorrelation(query: TableQuery, measured: Mention[]): MeasureOp[] {
  const [a, b] = measured.flatMap((mention) => mention.columns).filter((column) => column.kind === "number");
  if (a && b) query.correlation = [a.name, b.name];
  return [];
}

function findSuperlative({ lower, table }: Reading): { column: TableColumn; op: "min" | "max"; at: number; over: "sum" | undefined } | null {
  for (const [at, word] of lower.entries()) {
    const known = SUPERLATIVES.get(word);
    if (!known) continue;
    for (const hint of known.hints) {
      const column = table.columns.find(({ kind, name }) => kind === "number" && hint.split(/[ _]/).every((part) => nameWords(name).includes(part)));
      if (column) return { column, op: lower[at - 1] === "least" ? "min" : known.op, at, over: known.over };
    }
  }
  return null;
}

/** `top 5`, `the three largest`, `first 10`. */
function readLimit(lower: readonly string[]): number | null {
  for (const [at, word] of lower.entries()) {
    const value = numberOf(word);
    if (value === null || value < 1 || value > 1000 || !Number.isInteger(value)) continue;
    const previous = lower[at - 1] ?? "";
    const next = lower[at + 1] ?? "";
    const isRank = OP_WORDS.get(next) === "max" || OP_WORDS.get(next) === "min" || SUPERLATIVES.has(next);
    if (/^(?:top|first|bottom|best|worst)$/.test(previous) || isRank || /^\S+ with the (?:most|highest|lowest|fewest|largest|least)/.test(lower.slice(at + 1, at + 5).join(" "))) return value;
  }
  return null;
}

/** `the top 5 distributors by gross`: the plural names the groups. */
function groupByMentionedText(query: TableQuery, { mentions, table }: Reading, text: string): void {
  const mention = mentions.find(({ columns }) => columns[0]?.kind === "text" && columns[0].distinct < table.rows * 0.9);
  const column = mention?.columns[0];
  if (column && /\b(?:top|by|most|fewest|highest|largest|lowest)\b/.test(text)) query.groups.push({ column: column.name, period: null });
}

function rankGroups(query: TableQuery, others: Ask[], measured: Mention[], extreme: Ask, over: MeasureOp): MeasureOp[] {
  const column = measured.flatMap((mention) => mention.columns).find((candidate) => candidate.kind === "number");
  const given = others.filter((ask) => column !== undefined || ask.op === "count").map((ask): Measure => ({ op: ask.op, column: ask.op === "count" ? null : (column?.name ?? null) }));
  if (given.length > 0) query.measures = given;
  else if (column === undefined) query.measures = [{ op: "count", column: null }];
  else query.measures = [...new Set<MeasureOp>([over, "mean", extreme.op])].map((op) => ({ op, column: column.name }));
  query.order = { measure: 0, descending: extreme.op === "max" };
  query.limit ??= RANKED_MAX_GROUPS;
  return [];
}

function rankRows(query: TableQuery, { table, mentions }: Reading, measured: Mention[], extreme: Ask, limit: number | null): MeasureOp[] {
  const by = (measured.find((mention) => (mention.at[0] ?? 0) >= extreme.at) ?? measured[0])?.columns[0];
  if (!by) return [extreme.op];
  const mentioned = mentions.flatMap((mention) => mention.columns.map((column) => column.name));
  query.list = { by: by.name, descending: extreme.op === "max", columns: labelColumns(table, [by.name, ...mentioned]), limit: limit ?? 1 };
  query.limit = null;
  return [];
}

/** Columns that tell a row from others, then those that are asked for. */
export function labelColumns(table: TableProfile, wanted: readonly string[]): string[] {
  const labels = table.columns.filter(({ kind }) => kind === "text" || kind === "date").sort((a, b) => b.distinct - a.distinct);
  const inOrder = table.columns.filter((column) => labels.slice(0, LABELS_MAX).includes(column)).map((column) => column.name);
  return [...new Set([...inOrder, ...wanted])].slice(0, 6);
}

function takeFigures(query: TableQuery, asks: Ask[], measured: Mention[], reading: Reading): MeasureOp[] {
  const open: MeasureOp[] = [];
  for (const ask of asks) {
    if (ask.op === "count" || ask.op === "share") {
      query.measures.push({ op: ask.op, column: null });
      continue;
    }
    const all = ask.op === "distinct" ? reading.mentions : measured;
    const mention = all.find(({ at }) => (at.at(-1) ?? 0) >= ask.at) ?? all.at(-1);
    if (!mention) open.push(ask.op);
    for (const column of mention?.columns.slice(0, 3) ?? []) {
      if (column.kind === "date" && ask.op !== "min" && ask.op !== "max" && ask.op !== "distinct") continue;
      query.measures.push({ op: ask.op, column: column.name });
    }
  }
  if (asks.length === 0) takeImplied(query, measured, reading);
  query.measures = query.measures.filter((one, index) => query.measures.findIndex((other) => other.op === one.op && other.column === one.column) === index);
  addExtremeRow(query, reading);
  return query.measures.length > 0 ? [] : open;
}

/** Columns, groups or conditions without a word for the figure. */
function takeImplied(query: TableQuery, measured: Mention[], { table, lower }: Reading): void {
  const numeric = measured.flatMap((mention) => mention.columns).filter((column) => column.kind === "number" && !query.filters.some((filter) => filter.column === column.name));
  const isAsked = query.groups.length > 0 || query.filters.length > 0;
  if (numeric.length > 0) query.measures = numeric.slice(0, 2).flatMap((column) => (["mean", "min", "max"] as const).map((op) => ({ op, column: column.name })));
  else if (isAsked && lower.length > 0) query.measures = query.filters.length > 0 || LIST_WORDS.test(lower.join(" ")) ? [{ op: "count", column: null }] : [];
  if (query.filters.length > 0 && query.groups.length === 0 && LIST_WORDS.test(lower.join(" "))) {
    query.list = { by: null, descending: true, columns: labelColumns(table, query.filters.map((filter) => filter.column)), limit: query.limit ?? LIST_DEFAULT_ROWS };
  }
}

/** The lowest and the highest are worth little without the row that they stand in. */
function addExtremeRow(query: TableQuery, { table }: Reading): void {
  const [only] = query.measures;
  if (query.measures.length !== 1 || query.groups.length > 0 || query.list !== null || !only?.column) return;
  if (only.op !== "max" && only.op !== "min") return;
  query.list = { by: only.column, descending: only.op === "max", columns: labelColumns(table, [only.column]), limit: query.limit ?? 1 };
  query.limit = null;
}
