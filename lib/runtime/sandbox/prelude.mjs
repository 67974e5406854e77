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
  const hostMake = global.__make;
  delete global.__make;
  const hostTable = global.__table;
  delete global.__table;
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

  /** Tables are read by the host, which is many times as fast at it. */
  function rowsOf(type, text, delimiter) {
    const answer = hostTable(type, text, delimiter);
    if (answer.startsWith("!")) throw new Error(answer.slice(1));
    return parse(answer);
  }
  function parseCsv(text, options) {
    return rowsOf("csv", String(text), (options && options.delimiter) || "");
  }
  function readTable(path) {
    const text = global.files[path];
    if (typeof text !== "string") throw new Error("No such file was given: " + path);
    if (/\.(?:json|ndjson|jsonl|geojson)$/i.test(path)) return rowsOf("json", text, "");
    return rowsOf("csv", text, /\.tsv$/i.test(path) ? "\t" : "");
  }
  defineProperty(global, "parseCsv", { value: parseCsv });
  defineProperty(global, "readTable", { value: readTable });
  defineProperty(global, "files", { value: freeze(global.__files) });
  delete global.__files;

  const { endsWith } = String.prototype;
  const { isView } = ArrayBuffer;
  const call = Reflect.apply;
  /** Specs are mostly numbers and texts, which the built-in serializer takes ten times as fast. */
  function toSpec(value) {
    try {
      return stringify(value);
    } catch (error) {
      return toJson(value);
    }
  }
  /** Hands an order to the host; the file is made when the code has ended. */
  function order(maker, path, content) {
    if (typeof path !== "string" || path === "") throw new TypeError("make." + maker + "(path, spec) needs a path.");
    const ending = "." + maker;
    const whole = maker === "save" || call(endsWith, path, [ending]) ? path : path + ending;
    const problem = hostMake(maker, whole, content);
    if (problem) throw new Error(problem);
    return whole;
  }
  const makers = {};
  for (const maker of ["xlsx", "docx", "pptx", "pdf", "csv", "svg", "png", "zip"]) {
    makers[maker] = (path, spec) => {
      if (spec === undefined) throw new TypeError("make." + maker + "(path, spec) needs a spec.");
      return order(maker, path, toSpec(spec));
    };
  }
  defineProperty(global, "make", { value: freeze(makers) });
  defineProperty(global, "save", {
    value: (path, content) => {
      if (content instanceof ArrayBuffer) return order("save", path, content);
      if (isView(content))
        return order("save", path, content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength));
      return order("save", path, typeof content === "string" ? content : show(content));
    },
  });
  const slice = String.prototype.slice;
  const apply = Reflect.apply;
  return function (value, limit) {
    const text = value === undefined ? "null" : toJson(value);
    const all = text === undefined ? stringify(String(value)) : text;
    return all.length > limit ? "\u0001" + apply(slice, all, [0, limit]) : all;
  };
})(globalThis)
`;
