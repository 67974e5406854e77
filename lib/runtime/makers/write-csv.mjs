import { isRecord, plain, readTable } from "./table.mjs";

/**
 * What a spreadsheet takes for a formula, and so would compute for whoever opens the file.
 */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:e[+-]?\d+)?%?$/i;

/**
 * RFC 4180, with a byte order mark, without which Excel takes UTF-8 for something else.
 * @param {unknown} spec rows, or {rows, columns?, delimiter?}
 * @returns {Uint8Array}
 */
export function writeCsv(spec) {
  const asked = isRecord(spec) ? spec : { rows: spec };
  const { columns, rows } = readTable(asked.rows, "rows", asked.columns);
  const delimiter = asked.delimiter === ";" || asked.delimiter === "\t" ? asked.delimiter : ",";
  const lines = [columns, ...rows.map((row) => row.map(plain))].map((row) =>
    row.map((value) => field(value, delimiter)).join(delimiter),
  );
  return Buffer.from(`\ufeff${lines.join("\r\n")}\r\n`);
}

/**
 * @param {string | number | boolean | null} value
 * @param {string} delimiter
 */
function field(value, delimiter) {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /["\r\n]/.test(text) || text.includes(delimiter)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}
