/**
 * What guest code finds in the sandbox besides the language itself. This text runs inside QuickJS,
 * before the guest's, in a closure that keeps its own references to the built-ins, so that a guest
 * who replaces `JSON.stringify` fools only itself.
 */
export const PRELUDE = String.raw`
(function (global) {
  "use strict";
  const { stringify, parse } = JSON;
  const { fromEntries, freeze, defineProperty } = Object;
  const hostLog = global.__log;
  delete global.__log;
  const [hostSave, hostText, hostBytes] = [global.__save, global.__text, global.__bytes];
  const [hostWrite, hostDraw, hostTable] = [global.__write, global.__draw, global.__table];
  for (const name of ["save", "text", "bytes", "write", "draw", "table"])
    delete global["__" + name];
  const isView = ArrayBuffer.isView;
  const Bytes = Uint8Array;

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
  const console = freeze({ log, info: log, warn: log, error: log, debug: log });
  defineProperty(global, "console", { value: console });

  /** Tables are read beside the guest, which is many times as fast. */
  function parseCsv(text, options) {
    return parse(hostTable("csv", String(text), (options && options.delimiter) || ""));
  }
  function readTable(path) {
    const text = global.files[path];
    if (typeof text !== "string") throw new Error("There is no such file: " + path);
    if (/\.(?:json|ndjson|jsonl|geojson)$/i.test(path)) return parse(hostTable("json", text, ""));
    return parse(hostTable("csv", text, /\.tsv$/i.test(path) ? "\t" : ""));
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
    if (isView(content)) {
      const { buffer, byteOffset, byteLength } = content;
      return hostSave(name, buffer, byteOffset, byteLength, append, type);
    }
    if (content instanceof ArrayBuffer)
      return hostSave(name, content, 0, content.byteLength, append, type);
    const text = typeof content === "string" ? content : toJson(content, 1);
    return hostSave(name, text, 0, 0, append, type);
  } });
  /** Specs are mostly numbers and texts, which the serializer takes ten times as fast alone. */
  function toSpec(value) {
    try {
      return stringify(value);
    } catch {
      return toJson(value);
    }
  }
  const writers = {};
  for (const type of ["xlsx", "docx", "pptx", "pdf", "csv", "png", "zip"]) {
    writers[type] = function (path, spec) {
      if (typeof path !== "string" || path === "" || spec === undefined)
        throw new TypeError("write." + type + " takes a path and what the file is to hold.");
      asked.delete(path);
      // What goes wrong is thrown at once: a promise that nobody awaits would hide it.
      return Promise.resolve(parse(hostWrite(type, path, toSpec(spec))));
    };
  }
  defineProperty(global, "write", { value: freeze(writers) });
  defineProperty(global, "chart", { value: function chart(spec) {
    if (spec === undefined) throw new TypeError("chart takes {type, data, x, y}.");
    return hostDraw(toSpec(spec));
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
