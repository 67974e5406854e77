import "server-only";
import type { TableProfile } from "./table-profile";

const LABELS_MAX = 3;

/** Columns that tell a row from others, then those that are asked for. */
export function labelColumns(table: TableProfile, wanted: readonly string[]): string[] {
  const labels = table.columns.filter(({ kind }) => kind === "text" || kind === "date").sort((a, b) => b.distinct - a.distinct);
  const inOrder = table.columns.filter((column) => labels.slice(0, LABELS_MAX).includes(column)).map((column) => column.name);
  return [...new Set([...inOrder, ...wanted])].slice(0, 6);
}
