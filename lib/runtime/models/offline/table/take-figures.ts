import "server-only";
import type { Mention } from "./find-mentions";
import { labelColumns } from "./label-columns";
import type { Ask, Reading } from "./reading";
import type { MeasureOp, TableQuery } from "./table-query";

const LIST_WORDS = /\b(?:list|show|which|find|who)\b/i;

const LIST_DEFAULT_ROWS = 10;

export function takeFigures(query: TableQuery, asks: Ask[], measured: Mention[], reading: Reading): MeasureOp[] {
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
