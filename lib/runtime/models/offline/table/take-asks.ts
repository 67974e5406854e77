import "server-only";
import { type Mention, nameWords } from "./find-mentions";
import { SUPERLATIVES } from "./question-words";
import { readLimit } from "./read-limit";
import type { Ask, Reading } from "./reading";
import type { TableColumn, TableProfile } from "./table-profile";
import type { Measure, MeasureOp, TableQuery } from "./table-query";

const LIST_DEFAULT_ROWS = 10;

/** Puts the figures into the query; answers those that found no column. */
export function takeAsks(query: TableQuery, asks: Ask[], reading: Reading, ranked: boolean): MeasureOp[] {
  const text = reading.lower.join(" ");
  const measured = reading.mentions.filter((mention) => mention.columns.some(isMeasurable));
  if (/\bcorrelat|\brelationship\b|\brelate[sd]?\b/.test(text)) return takeCorrelation(query, measured);
  const limit = readLimit(reading.lower);
  if (limit !== null) query.limit = limit;
  if (SORT_WORDS.test(text)) return takeOrder(query, asks, measured, reading, text);
  const superlative = findSuperlative(reading);
  if (superlative) measured.push({ columns: [superlative.column], at: [superlative.at], score: 0 });
  if (superlative && !asks.some((ask) => ask.op === superlative.op)) asks.push({ op: superlative.op, at: superlative.at });
  if (
    limit !== null &&
    measured.length === 0 &&
    query.groups.length === 0 &&
    reading.mentions.length === 0 &&
    asks.every((ask) => RANK_WORDS.test(reading.lower[ask.at] ?? ""))
  )
    return [];
  const extreme = asks.find((ask) => ask.op === "max" || ask.op === "min");
  const others = asks.filter((ask) => ask !== extreme);
  const isRanking = extreme !== undefined && (ranked || limit !== null || superlative !== null);
  if (isRanking && query.groups.length === 0 && limit !== null) groupByMentionedText(query, reading, text);
  if (isRanking && query.groups.length > 0)
    return rankGroups(query, others, measured, extreme, ranked ? (superlative?.over ?? (superlative ? "mean" : extreme.op)) : "sum");
  if (isRanking && measured.length > 0 && others.length === 0) return rankRows(query, reading, measured, extreme, limit);
  return takeFigures(query, asks, measured, reading);
}

const SORT_WORDS =
  /\b(?:sort|sorted|ranked?|ordered|order) (?:\w+ ){0,4}?(?:by|from|in|descending|ascending|alphabetically|highest|lowest|largest|smallest|most|least|per)\b|\b(?:descending|ascending)\b/;

const RANK_WORDS = /^(?:most|least|highest|lowest|largest|smallest|biggest|top|best|worst)$/;

/** `sorted from most to least`: words of rank that order the groups and ask for no figure. */
function takeOrder(query: TableQuery, asks: Ask[], measured: Mention[], reading: Reading, text: string): MeasureOp[] {
  const figures = asks.filter((ask) => !RANK_WORDS.test(reading.lower[ask.at] ?? ""));
  const open = takeFigures(query, figures, measured, reading);
  const isAscending =
    /\bascending\b|\b(?:least|lowest|smallest|fewest|worst)\b(?:(?! to\b).)*? (?:to|first)\b|\b(?:least|lowest|smallest) first\b/.test(
      text,
    );
  if (query.groups.length > 0 && query.measures.length > 0) query.order = { measure: 0, descending: !isAscending };
  else if (query.groups.length === 0 && measured[0]?.columns[0] && figures.length === 0) {
    const by = measured.at(-1)?.columns[0]?.name ?? null;
    query.list = {
      by,
      descending: !isAscending,
      columns: labelColumns(reading.table, by === null ? [] : [by]),
      limit: query.limit ?? LIST_DEFAULT_ROWS,
    };
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

function findSuperlative({
  lower,
  table,
}: Reading): { column: TableColumn; op: "min" | "max"; at: number; over: "sum" | undefined } | null {
  for (const [at, word] of lower.entries()) {
    const known = SUPERLATIVES.get(word);
    if (!known) continue;
    for (const hint of known.hints) {
      const column = table.columns.find(
        ({ kind, name }) => kind === "number" && hint.split(/[ _]/).every((part) => nameWords(name).includes(part)),
      );
      if (column) return { column, op: lower[at - 1] === "least" ? "min" : known.op, at, over: known.over };
    }
  }
  return null;
}

/** `the top 5 distributors by gross`: the plural names the groups. */
function groupByMentionedText(query: TableQuery, { mentions, table }: Reading, text: string): void {
  const mention = mentions.find(({ columns }) => columns[0]?.kind === "text" && columns[0].distinct < table.rows * 0.9);
  const column = mention?.columns[0];
  if (column && /\b(?:top|by|most|fewest|highest|largest|lowest)\b/.test(text)) query.groups.push({ column: column.name, period: null });
}

const RANKED_MAX_GROUPS = 10;

function rankGroups(query: TableQuery, others: Ask[], measured: Mention[], extreme: Ask, over: MeasureOp): MeasureOp[] {
  const column = measured.flatMap((mention) => mention.columns).find((candidate) => candidate.kind === "number");
  const given = others
    .filter((ask) => column !== undefined || ask.op === "count")
    .map((ask): Measure => ({ op: ask.op, column: ask.op === "count" ? null : (column?.name ?? null) }));
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

const LIST_WORDS = /\b(?:list|show|which|find|who)\b/i;

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
  query.measures = query.measures.filter(
    (one, index) => query.measures.findIndex((other) => other.op === one.op && other.column === one.column) === index,
  );
  addExtremeRow(query, reading);
  return query.measures.length > 0 ? [] : open;
}

/** Columns, groups or conditions without a word for the figure. */
function takeImplied(query: TableQuery, measured: Mention[], { table, lower }: Reading): void {
  const numeric = measured
    .flatMap((mention) => mention.columns)
    .filter((column) => column.kind === "number" && !query.filters.some((filter) => filter.column === column.name));
  if (numeric.length > 0)
    query.measures = numeric.slice(0, 2).flatMap((column) => (["mean", "min", "max"] as const).map((op) => ({ op, column: column.name })));
  else if (query.groups.length > 0 || (query.filters.length > 0 && LIST_WORDS.test(lower.join(" "))))
    query.measures = query.filters.length > 0 ? [{ op: "count", column: null }] : [];
  if (query.filters.length > 0 && query.groups.length === 0 && LIST_WORDS.test(lower.join(" "))) {
    query.list = {
      by: null,
      descending: true,
      columns: labelColumns(
        table,
        query.filters.map((filter) => filter.column),
      ),
      limit: query.limit ?? LIST_DEFAULT_ROWS,
    };
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

const LABELS_MAX = 3;

/** Columns that tell a row from others, then those that are asked for. */
function labelColumns(table: TableProfile, wanted: readonly string[]): string[] {
  const labels = table.columns.filter(({ kind }) => kind === "text" || kind === "date").sort((a, b) => b.distinct - a.distinct);
  const inOrder = table.columns.filter((column) => labels.slice(0, LABELS_MAX).includes(column)).map((column) => column.name);
  return [...new Set([...inOrder, ...wanted])].slice(0, 6);
}
