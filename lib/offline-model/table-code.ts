import "server-only";
import type { InlineTables, TableQuery } from "./table-query";

/** Code that looks at tables: their columns, and which of their cells the phrases name. */
export function profileCode(
  paths: readonly string[],
  phrases: readonly string[],
  inline: InlineTables,
): string {
  return `${withInput({ paths, phrases, inline })}${BASE_CODE}${PROFILE_CODE}`;
}

/** Code that answers queries on one table. */
export function queryCode(
  path: string,
  queries: readonly TableQuery[],
  inline: InlineTables,
): string {
  return `${withInput({ path, queries, inline })}${BASE_CODE}${QUERY_CODE}`;
}

/** JSON inside a string literal: no text of the request or of a file can become code. */
function withInput(input: object): string {
  return `const input = JSON.parse(${JSON.stringify(JSON.stringify(input))});\n`;
}

const BASE_CODE = String.raw`
const loadRaw = (path) =>
  !Object.hasOwn(input.inline, path)
    ? readTable(path)
    : typeof input.inline[path] === "string"
      ? parseCsv(input.inline[path])
      : input.inline[path];
/**
 * Numbers with decimal commas, in a column where all are such. 1,234 may be either and stays a
 * text.
 */
const COMMA = /^-?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$/;
function load(path) {
  const rows = loadRaw(path);
  for (const name of Object.keys(rows[0] || {})) {
    const texts = [];
    let isAll = true;
    for (const row of rows) {
      const v = row[name];
      if (isGap(v)) continue;
      if (typeof v !== "string" || !COMMA.test(v)) { isAll = false; break; }
      texts.push(v);
    }
    if (!isAll || !texts.some((v) => /,(?:\d{1,2}|\d{4,})$/.test(v))) continue;
    for (const row of rows)
      if (!isGap(row[name])) row[name] = Number(row[name].replaceAll(".", "").replace(",", "."));
  }
  return rows;
}
const MONTHS = [
  "January", "February", "March", "April", "May", "June",
  "July", "August", "September", "October", "November", "December",
];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const pad = (n, width) => String(n).padStart(width, "0");
const valid = (y, m, d) => (m >= 1 && m <= 12 && d >= 1 && d <= 31 ? [y, m, d] : null);
const short = (name) => name.slice(0, 3).toLowerCase();
const monthOf = (name) => MONTHS.findIndex((month) => short(month) === short(name)) + 1;
function dateOf(value) {
  if (typeof value !== "string" || value.length > 40) return null;
  let m = /^(\d{4})[-\/](\d{1,2})(?:[-\/](\d{1,2}))?(?:[T ].*)?$/.exec(value);
  if (m) return valid(+m[1], +m[2], +(m[3] || 1));
  m = /^(?:[A-Za-z]{3,9},? )?([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})(?: .*)?$/.exec(value);
  if (m) return valid(+m[3], monthOf(m[1]), +m[2]);
  m = /^(?:[A-Za-z]{3,9},? )?(\d{1,2})[ -]([A-Za-z]{3,9})\.?[ -](\d{4})(?: .*)?$/.exec(value);
  if (m) return valid(+m[3], monthOf(m[2]), +m[1]);
  m = /^([A-Za-z]{3,9})\.? (\d{4})$/.exec(value) || /^([A-Za-z]{3}) 1 (\d{4})$/.exec(value);
  if (m) return valid(+m[2], monthOf(m[1]), 1);
  m = /^(\d{1,2})[\/.](\d{1,2})[\/.](\d{4})(?: .*)?$/.exec(value);
  const isDayFirst = m && (value.includes(".") || +m[1] > 12);
  if (m) return isDayFirst ? valid(+m[3], +m[2], +m[1]) : valid(+m[3], +m[1], +m[2]);
  return null;
}
const GAP = /^(?:\s*|n\/a|null|nil|[-\u2013\u2014])$/i;
const isGap = (v) =>
  v === null ||
  v === undefined ||
  (typeof v === "string" && v.length < 5 && GAP.test(v)) ||
  (typeof v === "number" && v !== v);
const tidy = (x) => (typeof x === "number" && Number.isFinite(x) ? Number(x.toPrecision(15)) : x);
`;

const PROFILE_CODE = String.raw`
const norm = (text) => String(text).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
const stem = (w) =>
  w.length > 4 && w.endsWith("ies")
    ? w.slice(0, -3) + "y"
    : w.length > 3 && w.endsWith("s") && !w.endsWith("ss")
      ? w.slice(0, -1)
      : w;
const byStem = new Map(input.phrases.map((phrase) => [stem(phrase), phrase]));
const longest = Math.max(0, ...input.phrases.map((phrase) => phrase.length)) + 8;
function columnsOf(rows) {
  const names = new Set();
  for (const row of rows)
    for (const name of Object.keys(row)) {
      names.add(name);
      if (names.size >= 200) return [...names];
    }
  return [...names];
}
const KINDS = { number: "number", boolean: "flag", object: "nested" };
const NOTHING = /^(?:none|no|nothing|nobody|kein[er]?|nichts|unknown|zero|0)$/i;
function kindOf(counts, all) {
  if (all === 0) return "empty";
  if (counts.nested) return "nested";
  if (counts.number === all) return "number";
  if (counts.flag === all) return "flag";
  return counts.date >= all * 0.9 ? "date" : "text";
}
function profileColumn(rows, name, hits) {
  const counts = { number: 0, date: 0, text: 0, flag: 0, nested: 0 }, seen = new Map();
  let missing = 0, min = null, max = null;
  for (const row of rows) {
    const v = row[name];
    if (isGap(v)) { missing += 1; continue; }
    // What was looked at before need not be looked at again, which is most of a big table.
    const known = seen.get(v);
    if (known) { counts[known] += 1; continue; }
    const date = typeof v === "string" && (counts.date > 0 || counts.text < 100) ? dateOf(v) : null;
    const kind = KINDS[typeof v] || (date ? "date" : "text");
    counts[kind] += 1;
    if (kind === "nested") continue;
    seen.set(v, kind);
    if (kind === "text" && v.length <= longest) {
      const phrase = byStem.get(stem(norm(v)));
      if (phrase !== undefined && hits.length < 60) hits.push({ column: name, value: v, phrase });
    }
    const k = date ? date.map((n, i) => pad(n, i ? 2 : 4)).join("-") : kind === "number" ? v : null;
    if (k !== null) { if (min === null || k < min) min = k; if (max === null || k > max) max = k; }
  }
  const all = rows.length - missing;
  const kind = kindOf(counts, all);
  const bounded = kind === "number" || kind === "date";
  const cells = [...seen.keys()];
  const isFew = cells.length > 0 && cells.length <= 2 && (kind === "text" || kind === "flag");
  return {
    name,
    kind,
    distinct: seen.size,
    missing,
    min: bounded ? min : null,
    max: bounded ? max : null,
    values: isFew ? cells : null,
    has_none:
      kind === "text" &&
      cells.some((v) => typeof v === "string" && v.length < 12 && NOTHING.test(v)),
  };
}
function profile(path) {
  try {
    const rows = load(path), hits = [];
    const columns = columnsOf(rows).map((name) => profileColumn(rows, name, hits));
    return { path, rows: rows.length, columns, hits };
  } catch (error) {
    return { path, error: String(error.message || error).slice(0, 200) };
  }
}
({ tables: input.paths.map(profile) })
`;

const QUERY_CODE = `
function periodOf(v, period) {
  const d = typeof v === "number" ? [v, 1, 1] : dateOf(v);
  if (!d) return null;
  if (period === "year") return d[0];
  if (period === "quarter") return d[0] + "-Q" + Math.ceil(d[1] / 3);
  if (period === "month") return pad(d[0], 4) + "-" + pad(d[1], 2);
  if (period === "month of the year") return pad(d[1], 2) + " " + MONTHS[d[1] - 1];
  if (period === "weekday") return DAYS[new Date(Date.UTC(d[0], d[1] - 1, d[2])).getUTCDay()];
  return pad(d[0], 4) + "-" + pad(d[1], 2) + "-" + pad(d[2], 2);
}
const fieldOf = (row, { column, period }) => {
  const v = row[column];
  if (isGap(v)) return null;
  return period ? periodOf(v, period) : typeof v === "object" ? JSON.stringify(v).slice(0, 80) : v;
};
const alike = (a, b) => typeof a === typeof b;
const fits = {
  in: (v, values) => values.includes(v),
  "not in": (v, values) => v !== null && !values.includes(v),
  ">": (v, [x]) => alike(v, x) && v > x,
  ">=": (v, [x]) => alike(v, x) && v >= x,
  "<": (v, [x]) => alike(v, x) && v < x,
  "<=": (v, [x]) => alike(v, x) && v <= x,
};
const compare = (a, b) => (a === b ? 0 : a === null ? 1 : b === null ? -1 : alike(a, b) ? (a < b ? \
-1 : 1) : String(a) < String(b) ? -1 : 1);
function sumOf(values) {
  let sum = 0, rest = 0;
  for (const v of values) { const t = sum + v; rest += Math.abs(sum) >= Math.abs(v) ? sum - t + v \
: v - t + sum; sum = t; }
  return sum + rest;
}
function medianOf(values) {
  const s = [...values].sort((a, b) => a - b);
  return (s[(s.length - 1) >> 1] + s[s.length >> 1]) / 2;
}
function figure({ op, column }, rows, all) {
  if (op === "share") return { value: all === 0 ? null : rows.length / all, used: rows.length };
  if (column === null) return { value: rows.length, used: rows.length };
  const values = rows.map((row) => row[column]).filter((v) => !isGap(v));
  const done = (value) => ({ value: tidy(value), used: values.length });
  if (op === "distinct") return done(new Set(values.map((v) => (typeof v === "object" ? \
JSON.stringify(v) : v))).size);
  if (values.length === 0) return done(null);
  if (op === "min" || op === "max") {
    let best = null;
    for (const v of values) { const k = (typeof v === "string" && periodOf(v, "day")) || v; if \
(best === null || (op === "min" ? k < best : k > best)) best = k; }
    return done(best);
  }
  const n = values.filter((v) => typeof v === "number");
  if (n.length === 0) return done(null);
  if (op === "range") return done(n.reduce((a, b) => Math.max(a, b)) - n.reduce((a, b) => \
Math.min(a, b)));
  if (op === "sum") return done(sumOf(n));
  if (op === "mean") return done(sumOf(n) / n.length);
  return done(medianOf(n));
}
/** Those asked for, and all that are level with the last of them. */
function best(sorted, { limit, skip }, keyOf, most) {
  if (limit === null || keyOf === null) return sorted.slice(skip, skip + (limit ?? most));
  let end = Math.min(sorted.length, skip + limit), start = skip;
  while (end < sorted.length && end - start < most && compare(keyOf(sorted[end]), keyOf(sorted[end \
- 1])) === 0) end += 1;
  while (start > 0 && start < end && compare(keyOf(sorted[start - 1]), keyOf(sorted[start])) === \
0) start -= 1;
  return sorted.slice(start, end);
}
function groupsOf(query, rows) {
  const found = new Map();
  for (const row of rows) {
    const key = query.groups.map((group) => fieldOf(row, group)), id = JSON.stringify(key), group \
= found.get(id);
    if (group) group.rows.push(row); else found.set(id, { key, rows: [row] });
  }
  const done = [...found.values()].map((g) => ({ key: g.key, rows: g.rows.length, values: \
query.measures.map((m) => figure(m, g.rows, rows.length).value) }));
  const byKey = (a, b) => a.key.reduce((sign, part, i) => sign || compare(part, b.key[i]), 0);
  const { order } = query;
  if (!order) return done.sort(byKey);
  const keyOf = (group) => group.values[order.measure];
  // What has no name or no figure cannot be the first of a ranking.
  const ranked = done.filter((group) => keyOf(group) !== null && !group.key.includes(null));
  return ranked.sort((a, b) => (order.descending ? compare(keyOf(b), keyOf(a)) : compare(keyOf(a), \
keyOf(b))) || byKey(a, b));
}
function rowsOf(query, rows) {
  const { by, descending, columns } = query.list;
  const keyOf = (row) => (typeof row[by] === "string" && periodOf(row[by], "day")) || row[by];
  const sorted = by === null ? rows : rows.filter((row) => !isGap(row[by])).sort((a, b) => \
(descending ? compare(keyOf(b), keyOf(a)) : compare(keyOf(a), keyOf(b))));
  return best(sorted, query, by === null ? null : keyOf, 20).map((row) => columns.map((column) => \
fieldOf(row, { column, period: null })));
}
function answer(query, table) {
  const kept = (rows, filters) => rows.filter((row) => filters.every((filter) => \
fits[filter.op](fieldOf(row, filter), filter.values)));
  const rows = kept(table, query.filters);
  const groups = query.groups.length ? groupsOf(query, rows) : [];
  return {
    total: table.length,
    matched: rows.length,
    figures: query.groups.length ? [] : query.measures.map((m) => figure(m, rows, table.length)),
    groups: best(groups, query, query.order ? (group) => group.values[query.order.measure] : null, \
60),
    group_count: groups.length,
    group_rows: groups.reduce((most, group) => Math.max(most, group.rows), 0),
    list: query.list ? rowsOf(query, rows) : [],
  };
}
const table = load(input.path);
({ answers: input.queries.map((query) => answer(query, table)) })
`;
