import { mapValue, type WidgetValue } from "@/lib/console/dashboard/widget-data";
import type { DashboardFormat } from "@/lib/model/dashboard/dashboard-template-schema";
import { numberOf, readField } from "@/lib/model/dashboard/json-pointer";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import type { Artifact } from "@/lib/model/run/run-result";

/**
 * The files among a value: a run's artifacts, or one of them. What is no artifact is passed over.
 */
export function toArtifacts(
  source: WidgetValue<JsonValue>,
  limit: number,
): WidgetValue<Artifact[]> {
  return mapValue(source, (value) => {
    const all = (Array.isArray(value) ? value : [value]).flatMap(toArtifact);
    if (all.length > 0) return { state: "ready", value: all.slice(0, limit) };
    return Array.isArray(value) && value.length === 0
      ? { state: "missing", reason: "The last run made no files." }
      : { state: "unfit", reason: "There are no artifacts here." };
  });
}

function toArtifact(value: JsonValue): Artifact[] {
  if (!isJsonObject(value)) return [];
  const { id, title, type, url, name, size_bytes } = value;
  if (
    typeof id !== "string" ||
    typeof url !== "string" ||
    typeof name !== "string" ||
    typeof size_bytes !== "number"
  )
    return [];
  return [
    {
      id,
      url,
      name,
      size_bytes,
      title: typeof title === "string" ? title : name,
      type: typeof type === "string" ? type : "",
    },
  ];
}

interface ListItem {
  /** The key, where the list is one object. */
  name: string | null;
  value: JsonValue;
}

const ITEMS_MAX = 100;

/**
 * A list's items; of each, what `field` names. One object is an item per key, a plain value the
 * only item.
 */
export function toListItems(
  source: WidgetValue<JsonValue>,
  field: string | undefined,
): WidgetValue<{ items: ListItem[]; omitted: number }> {
  return mapValue(source, (value) => {
    const all = itemsOf(value).map(({ name, value: item }) => ({
      name,
      value: field === undefined ? item : (readField(item, field) ?? null),
    }));
    if (all.length === 0) return { state: "missing", reason: "The list is empty." };
    if (field !== undefined && all.every((item) => item.value === null))
      return { state: "unfit", reason: `No item has ${field}.` };
    return {
      state: "ready",
      value: { items: all.slice(0, ITEMS_MAX), omitted: Math.max(0, all.length - ITEMS_MAX) },
    };
  });
}

function itemsOf(value: JsonValue): ListItem[] {
  if (Array.isArray(value)) return value.map((item) => ({ name: null, value: item }));
  if (isJsonObject(value))
    return Object.entries(value).map(([name, own]) => ({ name, value: own }));
  return value === null ? [] : [{ name: null, value }];
}

interface ChartPoint {
  x: JsonValue;
  /** By series, in order; null where the row has no number. */
  values: (number | null)[];
}

export interface Chart {
  series: string[];
  points: ChartPoint[];
}

interface Axes {
  x?: string;
  y?: string | string[];
}

/** More points than this are not told apart on a screen; the first ones are kept. */
const POINTS_MAX = 500;
const SERIES_MAX = 6;
const AXIS_KEYS = [
  "date",
  "day",
  "month",
  "week",
  "year",
  "time",
  "created_at",
  "x",
  "name",
  "label",
];

/**
 * A chart's points. Rows may be objects (fields by `x` and `y`; without them the first fields that
 * fit), plain numbers, or one object of numbers by name. Fields are keys, or JSON Pointers into a
 * row.
 */
export function toChart(source: WidgetValue<JsonValue>, { x, y }: Axes): WidgetValue<Chart> {
  return mapValue(source, (value) => {
    const rows = pointRowsOf(value)?.slice(0, POINTS_MAX);
    if (!rows) return { state: "unfit", reason: "A chart needs a list of rows or numbers." };
    if (rows.length === 0) return { state: "missing", reason: "There are no rows yet." };
    const series = y === undefined ? guessSeries(rows, x) : [y].flat();
    const axis = x ?? guessAxis(rows, series);
    const points = rows.map((row, index) => ({
      x: (axis === undefined ? undefined : readField(row, axis)) ?? index + 1,
      values: series.map((field) =>
        isJsonObject(row) || Array.isArray(row) ? numberOf(readField(row, field)) : numberOf(row),
      ),
    }));
    if (points.some((point) => point.values.some((number) => number !== null)))
      return { state: "ready", value: { series, points } };
    return {
      state: "unfit",
      reason:
        series.length > 0 ? `No row has a number in ${series.join(", ")}.` : "No row has a number.",
    };
  });
}

function pointRowsOf(value: JsonValue): JsonValue[] | null {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return null;
  return Object.entries(value).map(([name, number]) => ({ name, value: number }));
}

function guessSeries(rows: JsonValue[], x: string | undefined): string[] {
  const first = rows.find(isJsonObject);
  if (!first) return ["value"];
  return Object.keys(first)
    .filter(
      (key) => key !== x && rows.some((row) => isJsonObject(row) && typeof row[key] === "number"),
    )
    .slice(0, SERIES_MAX);
}

function guessAxis(rows: JsonValue[], series: string[]): string | undefined {
  const first = rows.find(isJsonObject);
  if (!first) return undefined;
  const keys = Object.keys(first).filter((key) => !series.includes(key));
  return (
    AXIS_KEYS.find((key) => keys.includes(key)) ??
    keys.find((key) => typeof first[key] === "string")
  );
}

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

/**
 * The columns of `run_history` when a table names none: all of them would be as wide as three
 * screens.
 */
export const HISTORY_COLUMNS: TableColumn[] = [
  { key: "created_at", label: "Started", format: "date" },
  { key: "status", label: "Status" },
  { key: "duration_seconds", label: "Time", format: "duration" },
  { key: "credits", label: "Credits", format: "number" },
];

/**
 * A table's cells. Rows may be objects, lists or plain values; one object is shown as a row per
 * key.
 */
export function toTable(
  source: WidgetValue<JsonValue>,
  given: TableColumn[] | undefined,
): WidgetValue<Table> {
  return mapValue(source, (value) => {
    const all = rowsOf(value, given);
    if (!all) return { state: "unfit", reason: "A table needs a list of rows." };
    if (all.length === 0) return { state: "missing", reason: "There are no rows yet." };
    const rows = all.slice(0, ROWS_MAX);
    const columns = given ?? columnsOf(rows);
    const cells = rows.map((row) => columns.map(({ key }) => cellOf(row, key)));
    return { state: "ready", value: { columns, rows: cells, omitted: all.length - rows.length } };
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
  return isJsonObject(row) || Array.isArray(row)
    ? readField(row, key)
    : key === "value"
      ? row
      : undefined;
}
