import { zipSync } from "fflate";
import readSheets from "read-excel-file/universal";
import { Unreadable, unzip } from "./unzip.mjs";

/**
 * @typedef {import("./child.mjs").DocumentRequest} DocumentRequest
 * @typedef {import("./child.mjs").DocumentContent} DocumentContent
 * @typedef {string | number | boolean | Date | null} Cell
 * @typedef {{ fromRow: number, toRow: number, fromColumn: number, toColumn: number }} Range
 */

/** Rows of one section. */
const SECTION_ROWS = 40;

/**
 * The cells of a workbook as CSV. With addresses each section begins with the letters of its
 * columns and each row with its number.
 * @param {Uint8Array} bytes
 * @param {DocumentRequest} request
 * @returns {Promise<DocumentContent>}
 */
export async function readWorkbook(bytes, { sheet, range, maxCharacters, addresses }) {
  const all = (await parse(bytes)).map(({ sheet: name, data }) => ({
    name,
    rows: data,
    columns: widthOf(data),
  }));
  const sheets = all.map(({ name, rows, columns }) => ({ name, rows: rows.length, columns }));
  const wanted =
    sheet === null ? all : all.filter(({ name }) => name.toLowerCase() === sheet.toLowerCase());
  if (wanted.length === 0)
    throw new Unreadable(
      `It has no sheet ${JSON.stringify(sheet)}. Its sheets are: ` +
        `${sheets.map(({ name }) => name).join(", ")}.`,
    );
  const sections = [];
  let characters = 0;
  for (const { name, rows, columns } of wanted) {
    const cut = clip(range, rows.length, columns);
    for (let row = cut.fromRow; row <= cut.toRow; row += SECTION_ROWS) {
      const part = { ...cut, fromRow: row, toRow: Math.min(cut.toRow, row + SECTION_ROWS - 1) };
      if (characters >= maxCharacters)
        return {
          sections,
          parts: all.length,
          sheets,
          next: referenceOf(name, { ...part, toRow: cut.toRow }),
        };
      const text = addresses ? addressed(rows, part) : plain(rows, part);
      characters += text.length;
      sections.push({ reference: referenceOf(name, part), sheet: name, text });
    }
  }
  return { sections, parts: all.length, sheets, next: null };
}

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<{ sheet: string, data: Cell[][] }[]>}
 */
async function parse(bytes) {
  // Packed anew without compression, so that what the library unpacks has the size that was looked
  // at.
  const parts = unzip(
    bytes,
    (name) => /^(?:xl\/|_rels\/|\[Content_Types\])/.test(name) && /\.(?:xml|rels)$/.test(name),
  );
  if (!parts["xl/workbook.xml"]) throw new Unreadable("It holds no workbook.");
  const stored = zipSync(parts, { level: 0 });
  try {
    // The types of cells are those that the library names in its documentation.
    return /** @type {{ sheet: string, data: Cell[][] }[]} */ (
      await readSheets(new Blob([stored]))
    );
  } catch {
    throw new Unreadable("Its workbook is broken or of a kind that is not known.");
  }
}

/**
 * @param {string} sheet
 * @param {Range} range
 */
function referenceOf(sheet, { fromRow, toRow, fromColumn, toColumn }) {
  return `sheet ${sheet}!${letters(fromColumn)}${fromRow}:${letters(toColumn)}${toRow}`;
}

/** @param {Cell[][]} rows */
function widthOf(rows) {
  return rows.reduce((most, row) => Math.max(most, row.length), 0);
}

/**
 * @param {string | null} range
 * @param {number} rows
 * @param {number} columns
 * @returns {Range}
 */
function clip(range, rows, columns) {
  const whole = { fromRow: 1, toRow: rows, fromColumn: 1, toColumn: columns };
  if (range === null) return whole;
  const found = /^\$?([A-Z]{1,3})?\$?(\d{1,7})?(?::\$?([A-Z]{1,3})?\$?(\d{1,7})?)?$/i.exec(
    range.trim(),
  );
  if (!found || (found[1] === undefined && found[2] === undefined))
    throw new Unreadable(
      `${JSON.stringify(range)} is no range. Write it like A1:F20, A:C or 10:40.`,
    );
  const [, column, row, lastColumn, lastRow] = found;
  const isOne = !range.includes(":");
  return {
    fromRow: Number(row ?? 1) || 1,
    toRow: Math.min(rows, Number(lastRow ?? (isOne && row !== undefined ? row : rows))),
    fromColumn: column === undefined ? 1 : numberOf(column),
    toColumn: Math.min(
      columns,
      lastColumn === undefined
        ? isOne && column !== undefined
          ? numberOf(column)
          : columns
        : numberOf(lastColumn),
    ),
  };
}

/**
 * @param {Cell[][]} rows
 * @param {Range} range
 */
function addressed(rows, range) {
  const heads = [
    "",
    ...Array.from({ length: Math.max(0, range.toColumn - range.fromColumn + 1) }, (_, at) =>
      letters(range.fromColumn + at),
    ),
  ];
  return [
    heads.join(","),
    ...lines(rows, range).map((line, at) => `${range.fromRow + at},${line}`),
  ].join("\n");
}

/**
 * @param {Cell[][]} rows
 * @param {Range} range
 */
function plain(rows, range) {
  return lines(rows, range).join("\n");
}

/**
 * @param {Cell[][]} rows
 * @param {Range} range
 */
function lines(rows, { fromRow, toRow, fromColumn, toColumn }) {
  return rows.slice(fromRow - 1, toRow).map((row) => {
    const cells = [];
    for (let column = fromColumn; column <= toColumn; column += 1)
      cells.push(quoted(textOf(row[column - 1] ?? null)));
    return cells.join(",");
  });
}

/** @param {Cell} cell */
function textOf(cell) {
  if (cell === null) return "";
  if (!(cell instanceof Date)) return String(cell);
  if (Number.isNaN(cell.getTime())) return "";
  return cell
    .toISOString()
    .replace(/T00:00:00\.000Z$/, "")
    .replace(/\.000Z$/, "Z");
}

/** @param {string} text */
function quoted(text) {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {number} column */
function letters(column) {
  let text = "";
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26))
    text = String.fromCharCode(65 + ((left - 1) % 26)) + text;
  return text || "A";
}

/** @param {string} text */
function numberOf(text) {
  return [...text.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}
