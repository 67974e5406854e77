/**
 * What is given as a table, in one form: rows of records, or rows of cells whose first row is the
 * head.
 */

/** What the model is told: what is wrong with its request, and what would be right. */
export class Unmakeable extends Error {}

/** @typedef {string | number | boolean | null | { formula: string, value?: unknown }} Cell */
/** @typedef {{ columns: string[], rows: Cell[][] }} Table */

const COLUMNS_MAX = 1_000;
const CELLS_MAX = 3_000_000;

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @param {unknown} value
 * @param {string} place how the request names it
 * @param {unknown} [wanted] names of columns, in their order; without it all
 * @returns {Table}
 */
export function readTable(value, place, wanted) {
  if (!Array.isArray(value))
    throw new Unmakeable(
      `${place} must be a list of rows: [{city: "Oslo", degrees: 4}, …] or [["city", "degrees"], ` +
        '["Oslo", 4], …].',
    );
  const table = value.some(isRecord) ? fromRecords(value, place) : fromCells(value, place);
  if (table.columns.length > COLUMNS_MAX)
    throw new Unmakeable(
      `${place} has ${table.columns.length} columns; ${COLUMNS_MAX} is the most.`,
    );
  if (table.rows.length * table.columns.length > CELLS_MAX)
    throw new Unmakeable(`${place} has more than ${CELLS_MAX} cells.`);
  return wanted === undefined ? table : pick(table, wanted, place);
}

/**
 * @param {unknown[]} value
 * @param {string} place
 * @returns {Table}
 */
function fromRecords(value, place) {
  const seen = new Set();
  const records = value.filter(isRecord);
  if (records.length < value.length)
    throw new Unmakeable(`${place} mixes records with other rows.`);
  for (const row of records) for (const key in row) seen.add(key);
  const columns = [...seen];
  return {
    columns,
    rows: records.map((row) => columns.map((name) => toCell(row[name]))),
  };
}

/**
 * @param {unknown[]} value
 * @param {string} place
 * @returns {Table}
 */
function fromCells(value, place) {
  const rows = value.map((row) => {
    if (!Array.isArray(row))
      throw new Unmakeable(`${place} must hold rows, each a list or a record.`);
    return row.map(toCell);
  });
  const [head = [], ...body] = rows;
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const columns = Array.from({ length: width }, (_, at) => String(plain(head[at] ?? null) ?? ""));
  return {
    columns,
    rows: body.map((row) => columns.map((_, at) => row[at] ?? null)),
  };
}

/**
 * @param {Table} table
 * @param {unknown} wanted
 * @param {string} place
 */
function pick(table, wanted, place) {
  if (!Array.isArray(wanted)) throw new Unmakeable(`columns of ${place} must be a list of names.`);
  const places = wanted.map((name) => columnOf(table, name, place));
  return {
    columns: wanted.map(String),
    rows: table.rows.map((row) => places.map((at) => row[at] ?? null)),
  };
}

/**
 * The place of a column.
 * @param {Table} table
 * @param {unknown} name
 * @param {string} place
 */
export function columnOf(table, name, place) {
  const at = table.columns.indexOf(String(name));
  if (at < 0)
    throw new Unmakeable(
      `${place} has no column ${JSON.stringify(name)}. Its columns are: ` +
        `${table.columns.slice(0, 40).join(", ")}.`,
    );
  return at;
}

/**
 * @param {unknown} value
 * @returns {Cell}
 */
function toCell(value) {
  if (value === undefined || value === null) return null;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (isRecord(value) && typeof value.formula === "string")
    return { formula: value.formula, value: value.value };
  return JSON.stringify(value);
}

/**
 * A cell's value; of a formula what it was said to give.
 * @param {Cell} cell
 * @returns {string | number | boolean | null}
 */
export function plain(cell) {
  if (typeof cell !== "object" || cell === null) return cell;
  const { value } = cell;
  return typeof value === "number" || typeof value === "string" || typeof value === "boolean"
    ? value
    : null;
}

const DATE =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Milliseconds since 1970 of a date as JSON and ISO 8601 write it; null for any other text. Without
 * a zone it is UTC.
 * @param {string} text
 */
export function toTime(text) {
  if (!DATE.test(text)) return null;
  const iso = text.replace(" ", "T");
  const time = Date.parse(
    iso.length > 10 && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) ? `${iso}Z` : iso,
  );
  return Number.isNaN(time) ? null : time;
}

/**
 * As it stands in a document: dates without the time that JSON adds, numbers with groups.
 * @param {Cell} cell
 */
export function shown(cell) {
  const value = plain(cell);
  if (value === null) return "";
  if (typeof value === "number") return numberText(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value.replace(/^(\d{4}-\d{2}-\d{2})T00:00:00(?:\.000)?Z$/, "$1");
}

const NUMBERS = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const SMALL_NUMBERS = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });

/** @param {number} value */
export function numberText(value) {
  return value !== 0 && Math.abs(value) < 0.1 ? SMALL_NUMBERS.format(value) : NUMBERS.format(value);
}
