import "server-only";
import { OP_WORDS, PERIOD_WORDS, SUPERLATIVES } from "./question-words";
import { isYears, timeColumn } from "./read-filters";
import type { Reading } from "./reading";
import type { TableColumn, TableProfile } from "./table-profile";
import type { Group } from "./table-query";

const GROUP_WORDS = /^(?:per|by|each|every|across|within)$/;

/** The columns and periods to group by: behind `per`, `by` and their like, or behind `which`. */
export function readGroups(reading: Reading): { groups: Group[]; isMonthOpen: boolean; ranked: boolean } {
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
