import "server-only";
import { type InlineTables, loadCode } from "./load-code";
import { TABLE_CODE } from "./table-code";

const PROFILE_CODE = `
const norm = (text) => String(text).toLowerCase().trim();
const stem = (w) => (w.length > 4 && w.endsWith("ies") ? w.slice(0, -3) + "y" : w.length > 3 && w.endsWith("s") && !w.endsWith("ss") ? w.slice(0, -1) : w);
function hitsOf(name, counts, rows, phrases) {
  const isIdLike = counts.size > rows * 0.5 && rows > 50;
  const byText = new Map();
  for (const [value, count] of counts) byText.set(norm(value), [value, count]);
  const hits = [];
  for (const { text, words, proper } of phrases) {
    const key = norm(text);
    let hit = byText.get(key) || byText.get(stem(key));
    if (!hit && words === 1 && key.length > 3 && counts.size <= 100) {
      for (const [known, entry] of byText) if (known.length >= 3 && (stem(known) === stem(key) || (key.startsWith(known) && key.length - known.length <= 2))) { hit = entry; break; }
    }
    if (!hit) continue;
    const value = String(hit[0]);
    if (value.length <= 3 && words === 1 && value !== text && value.toUpperCase() === value) continue;
    if (isIdLike && words === 1 && !proper) continue;
    hits.push({ column: name, value: hit[0], phrase: text, count: hit[1] });
  }
  return hits;
}
function profile(path) {
  let rows;
  try { rows = load(path); } catch (error) { return { path, error: String(error.message || error).slice(0, 200) }; }
  const hits = [];
  const columns = columnsOf(rows).map((name) => {
    const kind = kindOf(rows, name);
    const counts = new Map();
    let missing = 0, min = null, max = null, nested = false;
    for (const row of rows) {
      const v = row[name];
      if (isGap(v)) { missing += 1; continue; }
      if (typeof v === "object") { nested = true; continue; }
      counts.set(v, (counts.get(v) || 0) + 1);
      const k = kind === "date" ? (dateOf(v) || []).map((n) => pad(n, 4)).join("-") : v;
      if (kind !== "text" && k !== "") { if (min === null || k < min) min = k; if (max === null || k > max) max = k; }
    }
    if (kind === "text" || kind === "flag") hits.push(...hitsOf(name, counts, rows.length, phrases));
    const bound = (k) => (kind === "date" && k !== null ? k.split("-").map((n, i) => pad(+n, i ? 2 : 4)).join("-") : k);
    return { name, kind: nested ? "nested" : kind, distinct: counts.size, missing, min: bound(min), max: bound(max) };
  });
  return { path, rows: rows.length, columns, hits: hits.slice(0, 40) };
}
({ kind: "profile", tables: paths.map(profile) })
`;

export interface Phrase {
  text: string;
  words: number;
  /** Whether it is written like a name: in capitals or quotes. */
  proper: boolean;
}

/** Code that looks at tables: their columns, and which of their values the phrases of the request name. */
export function profileCode(paths: readonly string[], phrases: readonly Phrase[], inline: InlineTables): string {
  return `const paths = ${JSON.stringify(paths)};\nconst phrases = ${JSON.stringify(phrases)};\n${loadCode(inline)}${TABLE_CODE}${PROFILE_CODE}`;
}
