import "server-only";
import { MONTH_NAMES } from "./question-words";
import { escapeText } from "./show-value";
import type { Filter, Group, Measure, MeasureOp, TableQuery } from "./table-query";

const OP_NAMES: Record<MeasureOp, string> = {
  count: "number of rows",
  sum: "total",
  mean: "average",
  median: "median",
  min: "lowest",
  max: "highest",
  distinct: "distinct values of",
  stddev: "standard deviation of",
  share: "share of rows",
};

/** A figure in words, such as `average price`. */
export function describeMeasure({ op, column }: Measure): string {
  if (column === null) return OP_NAMES[op];
  const name = escapeText(column);
  return op === "count" ? `number of ${name} values` : `${OP_NAMES[op]} ${name}`;
}

/** `per symbol and year`; empty without groups. */
export function describeGroups(groups: readonly Group[]): string {
  if (groups.length === 0) return "";
  return `per ${groups.map(describeGroup).join(" and ")}`;
}

function describeGroup({ column, period }: Group): string {
  const name = escapeText(column);
  if (period === null) return name;
  return period === "calendar month" ? `calendar month of ${name} (all years together)` : `${period} of ${name}`;
}

/** `where origin is Japan and year is 1982`; empty without conditions. */
export function describeFilters(filters: readonly Filter[]): string {
  if (filters.length === 0) return "";
  return `where ${joinYears(filters).map(describeFilter).join(" and ")}`;
}

export function describeQuery(query: TableQuery): string {
  const what = query.correlation
    ? `correlation of ${query.correlation.map(escapeText).join(" and ")}`
    : query.measures.length > 0
      ? query.measures.map(describeMeasure).join(", ")
      : describeList(query);
  return [what, describeGroups(query.groups), describeFilters(query.filters)].filter(Boolean).join(" ");
}

function describeList({ list }: TableQuery): string {
  if (list === null) return "rows";
  if (list.by === null) return `the first ${list.limit} rows`;
  const rows = list.limit === 1 ? "row" : `the ${list.limit} rows`;
  return `${rows} with the ${list.descending ? "highest" : "lowest"} ${escapeText(list.by)}`;
}

/** From one year to the same reads as that year. */
function joinYears(filters: readonly Filter[]): Filter[] {
  const from = filters.find((filter) => filter.op === "year>=");
  const to = filters.find((filter) => filter.op === "year<=");
  if (!from || !to || from.values[0] !== to.values[0]) return [...filters];
  return [
    ...filters.filter((filter) => filter !== from && filter !== to),
    { column: `the year of ${from.column}`, op: "in", values: from.values },
  ];
}

function describeFilter({ column: rawColumn, op, values }: Filter): string {
  const column = escapeText(rawColumn);
  const list = values.map((value) => escapeText(String(value))).join(" or ");
  switch (op) {
    case "in":
      return `${column} is ${list}`;
    case "not in":
      return `${column} is not ${list}`;
    case "year>=":
      return `the year of ${column} is ${list} or later`;
    case "year<=":
      return `the year of ${column} is ${list} or earlier`;
    case "month=":
      return `the month of ${column} is ${values.map((month) => capital(MONTH_NAMES[Number(month) - 1] ?? "")).join(" or ")}`;
    default:
      return `${column} ${op} ${list}`;
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
