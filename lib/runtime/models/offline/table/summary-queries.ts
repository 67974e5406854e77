import "server-only";
import type { TableProfile } from "./table-profile";
import { emptyQuery, type TableQuery } from "./table-query";

const NUMERIC_MAX = 8;
const TEXT_MAX = 3;
const TOP_ROWS = 5;

/** What is worth knowing of a table when nothing else is asked: its measured columns, and the commonest values of the others. */
export function summaryQueries(table: TableProfile): TableQuery[] {
  const numeric = table.columns.filter((column) => column.kind === "number").slice(0, NUMERIC_MAX);
  const texts = table.columns.filter(
    ({ kind, distinct }) => (kind === "text" || kind === "flag") && distinct > 1 && distinct <= Math.max(20, table.rows / 4),
  );
  const ops = ["mean", "median", "min", "max"] as const;
  const figures = numeric.map((column): TableQuery => ({ ...emptyQuery(), measures: ops.map((op) => ({ op, column: column.name })) }));
  const counts = texts.slice(0, TEXT_MAX).map(
    (column): TableQuery => ({
      ...emptyQuery(),
      groups: [{ column: column.name, period: null }],
      measures: [{ op: "count", column: null }],
      order: { measure: 0, descending: true },
      limit: TOP_ROWS,
    }),
  );
  return [...figures, ...counts];
}
