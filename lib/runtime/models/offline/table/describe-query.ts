import "server-only";
import { MONTH_NAMES } from "./question-words";
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
  return op === "count" ? `number of ${column} values` : `${OP_NAMES[op]} ${column}`;
}

/** `per symbol and year`; empty without groups. */
export function describeGroups(groups: readonly Group[]): string {
  if (groups.length === 0) return "";
  return `per ${groups.map(({ column, period }) => (period === null ? column : period === "calendar month" ? `calendar month of ${column} (all years together)` : `${period} of ${column}`)).join(" and ")}`;
}

/** `where origin is Japan and year is 1982`; empty without conditions. */
export function describeFilters(filters: readonly Filter[]): string {
  if (filters.length === 0) return "";
  return `where ${joinYears(filters).map(describeFilter).join(" and ")}`;
}

export function describeQuery(query: TableQuery): string {
  const what = query.correlation
    ? `correlation of ${query.correlation.join(" and ")}`
    : query.measures.length > 0
      ? query.measures.map(describeMeasure).join(", ")
      : describeList(query);
  return [what, describeGroups(query.groups), describeFilters(query.filters)].filter(Boolean).join(" ");
}

function describeList({ list }: TableQuery): string {
  if (list === null) return "rows";
  if (list.by === null) return `the first ${list.limit} rows`;
  return list.limit === 1 ? `row with the ${list.descending ? "highest" : "lowest"} ${list.by}` : `the ${list.limit} rows with the ${list.descending ? "highest" : "lowest"} ${list.by}`;
}

/** From one year to the same reads as that year. */
function joinYears(filters: readonly Filter[]): Filter[] {
  const from = filters.find((filter) => filter.op === "year>=");
  const to = filters.find((filter) => filter.op === "year<=");
  if (!from || !to || from.values[0] !== to.values[0]) return [...filters];
  return [...filters.filter((filter) => filter !== from && filter !== to), { column: `the year of ${from.column}`, op: "in", values: from.values }];
}

function describeFilter({ column, op, values }: Filter): string {
  const list = values.join(" or ");
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
      return `the month of ${column} is ${values.map((month) => MONTH_NAMES[Number(month) - 1]).join(" or ")}`;
    default:
      return `${column} ${op} ${list}`;
  }
}
