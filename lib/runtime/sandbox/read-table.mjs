/**
 * The rows of a table as JSON text. It runs beside the guest, not in it: WebAssembly's interpreter
 * takes a minute where this takes a second. What it reads may be hostile; it only looks at
 * characters.
 */

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const CODE = /^[+-]?0\d/;
const MISSING = /^(?:|NA|N\/A|NaN|null|-)$/i;
const NUMBER_MAX_CHARACTERS = 24;

/**
 * CSV as a JSON list of records: numbers where a whole column holds them, null for what is missing.
 * @param {string} text
 * @param {string} delimiter empty: the likeliest
 * @returns {string}
 */
export function csvToJson(text, delimiter) {
  const clean = withoutMark(text);
  const [header, ...rows] = records(clean, delimiter || detectDelimiter(clean));
  if (header === undefined) return "[]";
  const names = columnNames(header);
  const keys = names.map((name) => JSON.stringify(name));
  const numeric = names.map((_, at) => isNumeric(rows, at));
  const lines = rows.map((row) => {
    let line = "";
    for (let at = 0; at < keys.length; at += 1)
      line += `${at === 0 ? "{" : ","}${keys[at]}:${cellJson(row[at], numeric[at] === true)}`;
    return `${line}}`;
  });
  return `[${lines.join(",")}]`;
}

/**
 * @param {string | undefined} value
 * @param {boolean} isNumber
 */
function cellJson(value, isNumber) {
  if (value === undefined || value === "") return "null";
  if (!isNumber) return JSON.stringify(value);
  const trimmed = value.trim();
  return MISSING.test(trimmed) ? "null" : JSON.stringify(Number(trimmed));
}

/** @param {string} text */
function withoutMark(text) {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/**
 * Fields of one record that holds quotes.
 * @param {string} text
 * @param {number} start
 * @param {string} delimiter
 * @param {string[]} fields
 * @returns {number} the place behind it
 */
function quotedRecord(text, start, delimiter, fields) {
  let at = start;
  for (;;) {
    let field = "";
    if (text[at] === '"') {
      for (;;) {
        const quote = text.indexOf('"', at + 1);
        if (quote < 0) {
          field += text.slice(at + 1);
          at = text.length;
          break;
        }
        field += text.slice(at + 1, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        field += '"';
      }
    }
    let end = at;
    while (end < text.length && text[end] !== delimiter && text[end] !== "\n") end += 1;
    field += text.slice(at, end);
    if (text[end] !== delimiter && field.endsWith("\r")) field = field.slice(0, -1);
    fields.push(field);
    if (text[end] !== delimiter) return end + 1;
    at = end + 1;
  }
}

/**
 * @param {string} text
 * @param {string} delimiter
 */
function records(text, delimiter) {
  const found = [];
  let at = 0;
  while (at < text.length) {
    let end = text.indexOf("\n", at);
    if (end < 0) end = text.length;
    const line = text.slice(at, text[end - 1] === "\r" ? end - 1 : end);
    if (line.includes('"')) {
      /** @type {string[]} */
      const fields = [];
      at = quotedRecord(text, at, delimiter, fields);
      found.push(fields);
    } else {
      if (line !== "") found.push(line.split(delimiter));
      at = end + 1;
    }
  }
  return found;
}

const HEAD_CHARACTERS = 4_096;

/** @param {string} text */
function detectDelimiter(text) {
  const [head = ""] = text.slice(0, HEAD_CHARACTERS).split("\n", 1);
  const bare = head.replace(/"[^"]*"/g, "");
  let best = ",";
  for (const candidate of [",", "\t", ";", "|"])
    if (bare.split(candidate).length > bare.split(best).length) best = candidate;
  return best;
}

/** @param {string[]} header */
function columnNames(header) {
  const seen = new Map();
  return header.map((raw, index) => {
    const name = raw.trim() || `column_${index + 1}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
}

/**
 * A column is numeric when every value that is there is a number and none is a code such as 00501.
 * @param {string[][]} rows
 * @param {number} index
 */
function isNumeric(rows, index) {
  let some = false;
  for (const row of rows) {
    const value = (row[index] ?? "").trim();
    if (MISSING.test(value)) continue;
    if (!NUMBER.test(value) || CODE.test(value) || value.length > NUMBER_MAX_CHARACTERS)
      return false;
    some = true;
  }
  return some;
}

/**
 * JSON, or a value a line, as a JSON list of the records in it.
 * @param {string} text
 * @throws {Error} for what is no JSON, or holds no table
 */
export function jsonToRows(text) {
  const clean = withoutMark(text);
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(clean);
  } catch (error) {
    const lines = clean.split("\n").filter((line) => line.trim() !== "");
    if (lines.length < 2) throw error;
    value = lines.map((line) => JSON.parse(line));
  }
  const rows = rowsOf(value, 0);
  if (rows) return JSON.stringify(rows.map(withoutGeometry));
  if (isRecord(value)) return JSON.stringify([value]);
  throw new Error("The file holds no table.");
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const DEPTH_MAX = 3;

/**
 * The rows inside a JSON value: itself, or the longest list of records at most three levels below.
 * @param {unknown} value
 * @param {number} depth
 * @returns {unknown[] | null}
 */
function rowsOf(value, depth) {
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isRecord)) return value;
    const isPlain = value.length > 0 && !value.some((item) => typeof item === "object");
    return depth === 0 && isPlain ? value.map((item) => ({ value: item })) : null;
  }
  if (!isRecord(value) || depth > DEPTH_MAX) return null;
  let best = null;
  for (const item of Object.values(value)) {
    const rows = rowsOf(item, depth + 1);
    if (rows && (!best || rows.length > best.length)) best = rows;
  }
  return best;
}

/** A feature of GeoJSON is told by its properties. @param {unknown} row */
function withoutGeometry(row) {
  return isRecord(row) && row.type === "Feature" && isRecord(row.properties) ? row.properties : row;
}
