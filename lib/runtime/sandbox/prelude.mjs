/**
 * What guest code finds in the sandbox besides the language itself. This text runs inside QuickJS,
 * before the guest's, in a closure that keeps its own references to the built-ins, so that a guest
 * who replaces `JSON.stringify` fools only itself.
 */
export const PRELUDE = String.raw`
(function (global) {
  "use strict";
  const { stringify, parse } = JSON;
  const { fromEntries, freeze, defineProperty, keys } = Object;
  const isArray = Array.isArray;
  const hostLog = global.__log;
  delete global.__log;
  const [hostSave, hostText, hostBytes] = [global.__save, global.__text, global.__bytes];
  delete global.__save;
  delete global.__text;
  delete global.__bytes;
  const isView = ArrayBuffer.isView;
  const Bytes = Uint8Array;
  const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
  const CODE = /^[+-]?0\d/;
  const MISSING = /^(?:|NA|N\/A|NaN|null|-)$/i;

  function show(value) {
    if (typeof value === "string") return value;
    const text = toJson(value, 2);
    return text === undefined ? String(value) : text;
  }
  function toJson(value, indent) {
    return stringify(value, function (key, item) {
      if (typeof item === "bigint") return item.toString();
      if (typeof item === "number" && !(item - item === 0)) return String(item);
      if (typeof item === "function") return "[function]";
      if (item instanceof Map) return fromEntries(item);
      if (item instanceof Set) return [...item];
      if (item instanceof Error) return String(item);
      return item;
    }, indent);
  }
  const log = (...values) => hostLog(values.map(show).join(" "));
  defineProperty(global, "console", { value: freeze({ log, info: log, warn: log, error: log, debug: log }) });

  /** Fields of one record that holds quotes; answers the place behind it. */
  function quotedRecord(text, start, delimiter, fields) {
    let at = start;
    for (;;) {
      let field = "";
      if (text[at] === '"') {
        for (;;) {
          const quote = text.indexOf('"', at + 1);
          if (quote < 0) { field += text.slice(at + 1); at = text.length; break; }
          field += text.slice(at + 1, quote);
          if (text[quote + 1] === '"') { field += '"'; at = quote + 1; continue; }
          at = quote + 1;
          break;
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
  function records(text, delimiter) {
    const found = [];
    let at = 0;
    while (at < text.length) {
      let end = text.indexOf("\n", at);
      if (end < 0) end = text.length;
      const line = text.slice(at, text[end - 1] === "\r" ? end - 1 : end);
      if (line.includes('"')) {
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
  function detectDelimiter(text) {
    const head = text.slice(0, 4096).split("\n", 1)[0].replace(/"[^"]*"/g, "");
    let best = ",";
    for (const candidate of [",", "\t", ";", "|"]) {
      if (head.split(candidate).length > head.split(best).length) best = candidate;
    }
    return best;
  }
  function columnNames(header) {
    const seen = new Map();
    return header.map((raw, index) => {
      const name = raw.trim() || "column_" + (index + 1);
      const count = (seen.get(name) || 0) + 1;
      seen.set(name, count);
      return count === 1 ? name : name + "_" + count;
    });
  }
  /**
   * A column is numeric when every value that is there is a number and none is a code such as
   * 00501.
   */
  function isNumeric(rows, index) {
    let some = false;
    for (const row of rows) {
      const value = (row[index] || "").trim();
      if (MISSING.test(value)) continue;
      if (!NUMBER.test(value) || CODE.test(value) || value.length > 24) return false;
      some = true;
    }
    return some;
  }
  function parseCsv(text, options) {
    const clean = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    const all = records(clean, (options && options.delimiter) || detectDelimiter(clean));
    if (all.length === 0) return [];
    const names = columnNames(all[0]);
    const body = all.slice(1);
    const numeric = names.map((_, index) => isNumeric(body, index));
    return body.map((row) => fromEntries(names.map((name, index) => {
      const value = row[index];
      if (value === undefined || value === "") return [name, null];
      if (!numeric[index]) return [name, value];
      return [name, MISSING.test(value.trim()) ? null : Number(value)];
    })));
  }
  const isRecord = (value) => typeof value === "object" && value !== null && !isArray(value);
  /**
   * The rows inside a JSON value: itself, or the longest list of records at most three levels
   * below.
   */
  function rowsOf(value, depth) {
    if (isArray(value)) {
      if (value.length > 0 && value.every(isRecord)) return value;
      return depth === 0 && value.length > 0 && !value.some((item) => typeof item === "object") ? value.map((item) => ({ value: item })) : null;
    }
    if (!isRecord(value) || depth > 3) return null;
    let best = null;
    for (const key of keys(value)) {
      const rows = rowsOf(value[key], depth + 1);
      if (rows && (!best || rows.length > best.length)) best = rows;
    }
    return best;
  }
  /** A feature of GeoJSON is told by its properties. */
  const withoutGeometry = (row) => (row.type === "Feature" && isRecord(row.properties) ? { ...row.properties } : row);
  function parseJsonTable(text) {
    const clean = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    let value;
    try {
      value = parse(clean);
    } catch (error) {
      const lines = clean.split("\n").filter((line) => line.trim() !== "");
      if (lines.length < 2) throw error;
      value = lines.map((line) => parse(line));
    }
    const rows = rowsOf(value, 0);
    if (rows) return rows.map(withoutGeometry);
    if (isRecord(value)) return [value];
    throw new Error("The file holds no table.");
  }
  function readTable(path) {
    const text = global.files[path];
    if (typeof text !== "string") throw new Error("No such file was given: " + path);
    if (/\.(?:json|ndjson|jsonl|geojson)$/i.test(path)) return parseJsonTable(text);
    return /\.tsv$/i.test(path) ? parseCsv(text, { delimiter: "\t" }) : parseCsv(text);
  }
  defineProperty(global, "parseCsv", { value: parseCsv });
  defineProperty(global, "readTable", { value: readTable });
  /** Texts that were named; any other one is asked for when it is looked at, and kept. */
  const given = parse(global.__files);
  const asked = new Map();
  defineProperty(global, "files", { value: new Proxy(freeze(given), {
    get(target, path) {
      if (typeof path !== "string" || path in target) return target[path];
      if (!asked.has(path)) asked.set(path, hostText(path));
      return asked.get(path);
    },
  }) });
  delete global.__files;
  defineProperty(global, "read", { value: function read(path) {
    const bytes = hostBytes(String(path));
    if (bytes === undefined) throw new Error("There is no such file: " + path);
    return new Bytes(bytes);
  } });
  defineProperty(global, "save", { value: function save(path, content, options) {
    const append = options !== undefined && options !== null && options.append === true;
    const type = options !== undefined && options !== null ? options.type : undefined;
    const name = String(path);
    asked.delete(name);
    if (isView(content)) return hostSave(name, content.buffer, content.byteOffset, content.byteLength, append, type);
    if (content instanceof ArrayBuffer) return hostSave(name, content, 0, content.byteLength, append, type);
    return hostSave(name, typeof content === "string" ? content : toJson(content, 1), 0, 0, append, type);
  } });
  const slice = String.prototype.slice;
  const apply = Reflect.apply;
  return function (value, limit) {
    const text = value === undefined ? "null" : toJson(value);
    const all = text === undefined ? stringify(String(value)) : text;
    return all.length > limit ? "\u0001" + apply(slice, all, [0, limit]) : all;
  };
})(globalThis)
`;
