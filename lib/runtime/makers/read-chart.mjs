import { columnOf, isRecord, plain, readTable, shown, Unmakeable } from "./table.mjs";

/**
 * A chart in the one form that every writer takes.
 * @typedef {object} Chart
 * @property {"bar" | "line" | "area" | "pie" | "scatter"} type
 * @property {boolean} horizontal of bars
 * @property {boolean} stacked
 * @property {string} title empty for none
 * @property {string} xTitle
 * @property {string} yTitle
 * @property {string[]} categories
 * @property {number[]} xs of a scatter chart
 * @property {{ name: string, values: (number | null)[] }[]} series
 * @property {{ x: number, ys: number[], table: import("./table.mjs").Table } | null} source the
 *   columns that it shows
 */

const TYPES = /** @type {const} */ (["bar", "line", "area", "pie", "scatter"]);
const POINTS_MAX = { bar: 1_000, line: 5_000, area: 5_000, pie: 40, scatter: 10_000 };
const SERIES_MAX = 50;
/** In the order of series. */
export const COLOURS = [
  "2563EB",
  "F59E0B",
  "10B981",
  "EF4444",
  "8B5CF6",
  "0EA5E9",
  "F97316",
  "64748B",
  "EC4899",
  "84CC16",
];

/**
 * @param {unknown} spec
 * @param {string} place how the request names it
 * @param {import("./table.mjs").Table} [around] the rows that it shows when it has none itself
 * @returns {Chart}
 */
export function readChart(spec, place, around) {
  if (!isRecord(spec))
    throw new Unmakeable(
      `${place} must be {type: "bar", data: rows, x: "month", y: ["sales"], title: "…"}.`,
    );
  const { type, horizontal } = readType(spec.type, place);
  const table = spec.data === undefined ? around : readTable(spec.data, `data of ${place}`);
  if (!table) throw new Unmakeable(`${place} needs data: a list of rows.`);
  if (table.rows.length === 0) throw new Unmakeable(`${place} has no rows to show.`);
  if (table.rows.length > POINTS_MAX[type])
    throw new Unmakeable(
      `${place} has ${table.rows.length} rows; a ${type} chart shows at most ` +
        `${POINTS_MAX[type]}. Sum them up first.`,
    );
  const x = spec.x === undefined ? 0 : columnOf(table, spec.x, place);
  const ys = readSeries(spec, table, x, place);
  if (type === "pie" && ys.length > 1) throw new Unmakeable(`${place}: a pie shows one column y.`);
  return {
    type,
    horizontal: horizontal || spec.horizontal === true,
    stacked: spec.stacked === true,
    title: text(spec.title),
    xTitle: text(spec.x_title ?? spec.xTitle),
    yTitle: text(spec.y_title ?? spec.yTitle),
    categories: table.rows.map((row) => shown(row[x] ?? null)),
    xs: type === "scatter" ? numbers(table, x, place).map((value) => value ?? Number.NaN) : [],
    series: ys.map((at) => ({ name: table.columns[at] ?? "", values: numbers(table, at, place) })),
    source: { x, ys, table },
  };
}

/**
 * @param {unknown} value
 * @param {string} place
 * @returns {{ type: Chart["type"], horizontal: boolean }}
 */
function readType(value, place) {
  if (value === "column") return { type: "bar", horizontal: false };
  const type = TYPES.find((one) => one === value);
  if (!type) throw new Unmakeable(`type of ${place} must be one of ${TYPES.join(", ")}.`);
  return { type, horizontal: false };
}

/**
 * @param {Record<string, unknown>} spec
 * @param {import("./table.mjs").Table} table
 * @param {number} x
 * @param {string} place
 */
function readSeries(spec, table, x, place) {
  const ys =
    spec.y === undefined
      ? table.columns.map((_, at) => at).filter((at) => at !== x && isNumeric(table, at))
      : [spec.y].flat().map((name) => columnOf(table, name, place));
  if (ys.length === 0)
    throw new Unmakeable(`${place} has no column of numbers to show; name it as y.`);
  if (ys.length > SERIES_MAX) throw new Unmakeable(`${place} has more than ${SERIES_MAX} series.`);
  return ys;
}

/**
 * @param {import("./table.mjs").Table} table
 * @param {number} at
 */
function isNumeric(table, at) {
  return (
    table.rows.some((row) => typeof plain(row[at] ?? null) === "number") &&
    table.rows.every((row) => ["number", "object"].includes(typeof plain(row[at] ?? null)))
  );
}

/**
 * @param {import("./table.mjs").Table} table
 * @param {number} at
 * @param {string} place
 */
function numbers(table, at, place) {
  return table.rows.map((row) => {
    const value = plain(row[at] ?? null);
    if (value === null || typeof value === "number") return value;
    throw new Unmakeable(
      `${place}: column ${JSON.stringify(table.columns[at])} holds ${JSON.stringify(value)}, ` +
        "which is no number.",
    );
  });
}

/** @param {unknown} value */
function text(value) {
  return typeof value === "string" ? value.slice(0, 300) : "";
}
