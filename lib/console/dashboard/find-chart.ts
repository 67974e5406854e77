import { andThen, type Finding } from "@/lib/console/dashboard/finding";
import { numberOf, readField } from "@/lib/model/dashboard/json-pointer";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";

export interface ChartPoint {
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
const AXIS_KEYS = ["date", "day", "month", "week", "year", "time", "created_at", "x", "name", "label"];

/**
 * A chart's points. Rows may be objects (fields by `x` and `y`; without them the first fields that fit), plain numbers, or one object of numbers by
 * name. Fields are keys, or JSON Pointers into a row.
 */
export function findChart(source: Finding<JsonValue>, { x, y }: Axes): Finding<Chart> {
  return andThen(source, (value) => {
    const rows = rowsOf(value)?.slice(0, POINTS_MAX);
    if (!rows) return { state: "unfit", why: "A chart needs a list of rows or numbers." };
    if (rows.length === 0) return { state: "missing", why: "There are no rows yet." };
    const series = y === undefined ? guessSeries(rows, x) : [y].flat();
    const axis = x ?? guessAxis(rows, series);
    const points = rows.map((row, index) => ({
      x: (axis === undefined ? undefined : readField(row, axis)) ?? index + 1,
      values: series.map((field) => (isJsonObject(row) || Array.isArray(row) ? numberOf(readField(row, field)) : numberOf(row))),
    }));
    if (points.some((point) => point.values.some((number) => number !== null))) return { state: "there", value: { series, points } };
    return { state: "unfit", why: series.length > 0 ? `No row has a number in ${series.join(", ")}.` : "No row has a number." };
  });
}

function rowsOf(value: JsonValue): JsonValue[] | null {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return null;
  return Object.entries(value).map(([name, number]) => ({ name, value: number }));
}

function guessSeries(rows: JsonValue[], x: string | undefined): string[] {
  const first = rows.find(isJsonObject);
  if (!first) return ["value"];
  return Object.keys(first)
    .filter((key) => key !== x && rows.some((row) => isJsonObject(row) && typeof row[key] === "number"))
    .slice(0, SERIES_MAX);
}

function guessAxis(rows: JsonValue[], series: string[]): string | undefined {
  const first = rows.find(isJsonObject);
  if (!first) return undefined;
  const keys = Object.keys(first).filter((key) => !series.includes(key));
  return AXIS_KEYS.find((key) => keys.includes(key)) ?? keys.find((key) => typeof first[key] === "string");
}
