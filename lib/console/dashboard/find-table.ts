import { andThen, type Finding } from "@/lib/console/dashboard/finding";
import type { DashboardFormat } from "@/lib/model/dashboard/dashboard-template-schema";
import { readField } from "@/lib/model/dashboard/json-pointer";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";

export interface TableColumn {
  key: string;
  label?: string;
  format?: DashboardFormat;
  currency?: string;
}

export interface Table {
  columns: TableColumn[];
  /** By column; undefined where the row has nothing there. */
  rows: (JsonValue | undefined)[][];
  /** Rows beyond the ones shown. */
  omitted: number;
}

const ROWS_MAX = 100;
const COLUMNS_MAX = 20;

/** The columns of `run_history` when a table names none: all of them would be as wide as three screens. */
export const HISTORY_COLUMNS: TableColumn[] = [
  { key: "created_at", label: "Started", format: "date" },
  { key: "status", label: "Status" },
  { key: "duration_seconds", label: "Time", format: "duration" },
  { key: "credits", label: "Credits", format: "number" },
];

/** A table's cells. Rows may be objects, lists or plain values; one object is shown as a row per key. */
export function findTable(source: Finding<JsonValue>, given: TableColumn[] | undefined): Finding<Table> {
  return andThen(source, (value) => {
    const all = rowsOf(value, given);
    if (!all) return { state: "unfit", why: "A table needs a list of rows." };
    if (all.length === 0) return { state: "missing", why: "There are no rows yet." };
    const rows = all.slice(0, ROWS_MAX);
    const columns = given ?? columnsOf(rows);
    const cells = rows.map((row) => columns.map(({ key }) => cellOf(row, key)));
    return { state: "there", value: { columns, rows: cells, omitted: all.length - rows.length } };
  });
}

function rowsOf(value: JsonValue, given: TableColumn[] | undefined): JsonValue[] | null {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return null;
  return given?.some(({ key }) => readField(value, key) !== undefined)
    ? [value]
    : Object.entries(value).map(([key, own]) => ({ key, value: own }));
}

function columnsOf(rows: JsonValue[]): TableColumn[] {
  const keys = new Set<string>();
  for (const row of rows) {
    if (isJsonObject(row)) for (const key of Object.keys(row)) keys.add(key);
    else if (Array.isArray(row)) for (const index of row.keys()) keys.add(`/${index}`);
    else keys.add("value");
    if (keys.size >= COLUMNS_MAX) break;
  }
  return [...keys].slice(0, COLUMNS_MAX).map((key) => ({ key }));
}

function cellOf(row: JsonValue, key: string): JsonValue | undefined {
  return isJsonObject(row) || Array.isArray(row) ? readField(row, key) : key === "value" ? row : undefined;
}
