import "server-only";
import { type InlineTables, loadCode } from "./load-code";
import { TABLE_CODE } from "./table-code";
import type { TableQuery } from "./table-query";

const QUERY_CODE = `
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const NAMES = "January February March April May June July August September October November December".split(" ");
const partsOf = (v) => (typeof v === "number" ? [v, 1, 1] : dateOf(v));
function periodOf(v, period) {
  const d = partsOf(v);
  if (!d) return null;
  if (period === "year") return d[0];
  if (period === "decade") return Math.floor(d[0] / 10) * 10 + "s";
  if (period === "quarter") return d[0] + "-Q" + Math.ceil(d[1] / 3);
  if (period === "month") return pad(d[0], 4) + "-" + pad(d[1], 2);
  if (period === "calendar month") return pad(d[1], 2) + " " + NAMES[d[1] - 1];
  if (period === "weekday") return DAYS[new Date(Date.UTC(d[0], d[1] - 1, d[2])).getUTCDay()];
  return pad(d[0], 4) + "-" + pad(d[1], 2) + "-" + pad(d[2], 2);
}
const fits = {
  in: (v, values) => values.includes(v),
  "not in": (v, values) => !isGap(v) && !values.includes(v),
  ">": (v, [x]) => typeof v === "number" && v > x,
  ">=": (v, [x]) => typeof v === "number" && v >= x,
  "<": (v, [x]) => typeof v === "number" && v < x,
  "<=": (v, [x]) => typeof v === "number" && v <= x,
  "year>=": (v, [x]) => { const d = partsOf(v); return d !== null && d[0] >= x; },
  "year<=": (v, [x]) => { const d = partsOf(v); return d !== null && d[0] <= x; },
  "month=": (v, values) => { const d = partsOf(v); return d !== null && values.includes(d[1]); },
};
const valuesOf = (rows, column) => rows.map((row) => row[column]).filter((v) => !isGap(v) && typeof v !== "object");
function figure({ op, column }, rows, all) {
  if (op === "share") return { value: all === 0 ? null : tidy(rows.length / all), used: rows.length };
  const values = column === null ? null : valuesOf(rows, column);
  const dated = values && (op === "min" || op === "max") && typeof values[0] === "string" ? values.map((v) => periodOf(v, "day") || v) : values;
  return { value: measure(op, dated, rows.length), used: values === null ? rows.length : values.length };
}
const compare = (a, b) => (a === b ? 0 : a === null ? 1 : b === null ? -1 : typeof a === typeof b ? (a < b ? -1 : 1) : String(a) < String(b) ? -1 : 1);
function groupsOf(query, rows, all) {
  const found = new Map();
  for (const row of rows) {
    const key = query.groups.map(({ column, period }) => (period ? periodOf(row[column], period) : isGap(row[column]) ? null : typeof row[column] === "object" ? JSON.stringify(row[column]) : row[column]));
    const id = JSON.stringify(key);
    const group = found.get(id);
    if (group) group.rows.push(row); else found.set(id, { key, rows: [row] });
  }
  const done = [...found.values()].map((g) => ({ key: g.key, rows: g.rows.length, values: query.measures.map((m) => figure(m, g.rows, all).value) }));
  const byKey = (a, b) => { for (let i = 0; i < a.key.length; i += 1) { const c = compare(a.key[i], b.key[i]); if (c) return c; } return 0; };
  const { order } = query;
  return done.sort((a, b) => {
    const x = order ? a.values[order.measure] : null, y = order ? b.values[order.measure] : null;
    // What has no name or no figure cannot be the first of a ranking.
    const lastX = order && (x === null || a.key.includes(null)), lastY = order && (y === null || b.key.includes(null));
    if (lastX !== lastY) return lastX ? 1 : -1;
    return order ? (order.descending ? compare(y, x) : compare(x, y)) || byKey(a, b) : byKey(a, b);
  });
}
function listOf({ by, descending, columns, limit }, rows) {
  const picked = by === null ? rows : rows.filter((row) => !isGap(row[by]));
  const keyOf = (row) => (typeof row[by] === "string" && periodOf(row[by], "day")) || row[by];
  const sorted = by === null ? picked : [...picked].sort((a, b) => (descending ? compare(keyOf(b), keyOf(a)) : compare(keyOf(a), keyOf(b))));
  return sorted.slice(0, limit).map((row) => columns.map((c) => (isGap(row[c]) ? null : typeof row[c] === "object" ? JSON.stringify(row[c]).slice(0, 80) : row[c])));
}
function correlate([a, b], rows) {
  const pairs = rows.map((row) => [row[a], row[b]]).filter(([x, y]) => typeof x === "number" && typeof y === "number");
  const n = pairs.length;
  if (n < 2) return { value: null, used: n };
  const mx = sumOf(pairs.map((p) => p[0])) / n, my = sumOf(pairs.map((p) => p[1])) / n;
  const xy = sumOf(pairs.map(([x, y]) => (x - mx) * (y - my)));
  const xx = sumOf(pairs.map(([x]) => (x - mx) ** 2)), yy = sumOf(pairs.map(([, y]) => (y - my) ** 2));
  return { value: xx === 0 || yy === 0 ? null : tidy(xy / Math.sqrt(xx * yy)), used: n };
}
function answer(query, table) {
  const rows = table.filter((row) => query.filters.every(({ column, op, values }) => fits[op](row[column], values)));
  const groups = query.groups.length ? groupsOf(query, rows, query.filters.length ? rows.length : table.length) : [];
  return {
    total: table.length,
    matched: rows.length,
    figures: query.groups.length ? [] : query.measures.map((m) => figure(m, rows, table.length)),
    groups: groups.slice(0, query.limit || 60),
    group_count: groups.length,
    list: query.list ? listOf(query.list, rows) : [],
    correlation: query.correlation ? correlate(query.correlation, rows) : null,
  };
}
const table = load(path);
({ kind: "answers", path, answers: queries.map((query) => answer(query, table)) })
`;

/** Code that answers the queries on one table. */
export function queryCode(path: string, queries: readonly TableQuery[], inline: InlineTables): string {
  return `const path = ${JSON.stringify(path)};\nconst queries = ${JSON.stringify(queries)};\n${loadCode(inline)}${TABLE_CODE}${QUERY_CODE}`;
}
