/** What a cell of a table may be; null: empty. */
export type CsvCell = string | number | null;

/** What a spreadsheet takes for the beginning of a formula, or passes over before one. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/**
 * A table by RFC 4180, its first line the names of its columns. A text that a spreadsheet would
 * compute begins with an apostrophe, so that whoever chose it computes nothing where it is opened.
 * Numbers stay as they are.
 */
export function toCsv(header: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  const lines = [header, ...rows].map((cells) => cells.map(toField).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

function toField(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
