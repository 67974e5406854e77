import "server-only";

/** Functions that the generated code of both passes starts with: dates, kinds of columns, matching of words. */
export const TABLE_CODE = String.raw`
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const pad = (n, width) => String(n).padStart(width, "0");
function dateOf(value) {
  if (typeof value !== "string" || value.length > 40) return null;
  let m = /^(\d{4})[-\/](\d{1,2})(?:[-\/](\d{1,2}))?(?:[T ].*)?$/.exec(value);
  if (m) return valid(+m[1], +m[2], +(m[3] || 1));
  m = /^(?:[A-Za-z]{3,9},? )?([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})(?: .*)?$/.exec(value);
  if (m) return valid(+m[3], MONTHS.indexOf(m[1].slice(0, 3).toLowerCase()) + 1, +m[2]);
  m = /^(?:[A-Za-z]{3,9},? )?(\d{1,2})[ -]([A-Za-z]{3,9})\.?[ -](\d{4})(?: .*)?$/.exec(value);
  if (m) return valid(+m[3], MONTHS.indexOf(m[2].slice(0, 3).toLowerCase()) + 1, +m[1]);
  m = /^(\d{1,2})[\/.](\d{1,2})[\/.](\d{4})(?: .*)?$/.exec(value);
  if (m) return value.includes(".") || +m[1] > 12 ? valid(+m[3], +m[2], +m[1]) : valid(+m[3], +m[1], +m[2]);
  return null;
}
const valid = (y, m, d) => (m >= 1 && m <= 12 && d >= 1 && d <= 31 ? [y, m, d] : null);
const isGap = (v) => v === null || v === undefined || v === "" || (typeof v === "number" && v !== v);
function columnsOf(rows) {
  const names = new Map();
  for (const row of rows) for (const name of Object.keys(row)) if (!names.has(name)) { names.set(name, 0); if (names.size >= 200) return [...names.keys()]; }
  return [...names.keys()];
}
function kindOf(rows, name) {
  let numbers = 0, dates = 0, flags = 0, texts = 0;
  for (const row of rows) {
    const v = row[name];
    if (isGap(v)) continue;
    if (typeof v === "number") numbers += 1;
    else if (typeof v === "boolean") flags += 1;
    else if (typeof v === "string" && dateOf(v)) dates += 1;
    else texts += 1;
  }
  const all = numbers + dates + flags + texts;
  if (all === 0) return "empty";
  if (numbers === all) return "number";
  if (flags === all) return "flag";
  return dates >= all * 0.9 ? "date" : "text";
}
function sumOf(values) {
  let sum = 0, rest = 0;
  for (const v of values) { const t = sum + v; rest += Math.abs(sum) >= Math.abs(v) ? sum - t + v : v - t + sum; sum = t; }
  return sum + rest;
}
const tidy = (x) => (typeof x === "number" && Number.isFinite(x) ? Number(x.toPrecision(15)) : x);
function medianOf(values) {
  const s = [...values].sort((a, b) => a - b), h = s.length >> 1;
  return s.length === 0 ? null : s.length % 2 ? s[h] : (s[h - 1] + s[h]) / 2;
}
function measure(op, values, rows) {
  if (op === "count") return values === null ? rows : values.length;
  if (op === "distinct") return new Set(values).size;
  if (op === "mode") { const c = new Map(); for (const v of values) c.set(v, (c.get(v) || 0) + 1); return [...c].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null; }
  if (op === "min" || op === "max") { let best = null; for (const v of values) if (best === null || (op === "min" ? v < best : v > best)) best = v; return best; }
  const n = values.filter((v) => typeof v === "number");
  if (op === "sum") return tidy(sumOf(n));
  if (n.length === 0) return null;
  if (op === "mean") return tidy(sumOf(n) / n.length);
  if (op === "median") return tidy(medianOf(n));
  const mean = sumOf(n) / n.length;
  if (op === "stddev") return n.length < 2 ? null : tidy(Math.sqrt(sumOf(n.map((v) => (v - mean) ** 2)) / (n.length - 1)));
  return null;
}
`;
