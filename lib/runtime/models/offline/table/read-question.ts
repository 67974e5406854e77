import "server-only";
import { findIgnoredWords } from "./find-ignored-words";
import { findMentions, type Mention } from "./find-mentions";
import { readAsks } from "./read-asks";
import { readFilters } from "./read-filters";
import { readGroups } from "./read-groups";
import type { Reading } from "./reading";
import type { TableProfile } from "./table-profile";
import { emptyQuery, type MeasureOp, type TableQuery } from "./table-query";
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
