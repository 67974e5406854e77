import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const SERVER = ".next/server";
/** Where `output: "standalone"` has put a copy. */
const COPY = ".next/standalone/.next/server";
/** What the last line of a chunk begins with, which alone says its name. */
const MAP_COMMENT = "\n//# sourceMappingURL=";
/** What makes V8 keep a whole source text with two bytes a character. */
const TWO_BYTES = /[\u0100-\uffff]/g;
/** Where an escape means its character, by what the parser calls them. */
const TEXTS = ["string", "template", "regexp"];
/** A `\uXXXX` is this much longer than its character. */
const LONGER = 5;

if (process.argv[1] === fileURLToPath(import.meta.url)) await compactChunks(process.argv[2] ?? ".");

/**
 * Makes smaller what a process of the built clone at `root` holds of its own code, some 37 MiB.
 * Turbopack writes a chunk once for each group of entries that needs it, each time under another
 * name, and the server loads all of them as it starts: here one stays, and the others name it. And
 * one character beyond Latin-1 has a chunk kept with two bytes each: they become escapes. Source
 * maps stay true.
 * @param {string} root
 * @returns {Promise<{ repeated: number, narrowed: number }>} how many chunks were written anew
 */
export async function compactChunks(root) {
  const folder = join(root, SERVER, "chunks");
  /** @type {Map<string, string>} */
  const firsts = new Map();
  const done = { repeated: 0, narrowed: 0 };
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const name of names.filter((each) => each.endsWith(".js")).sort()) {
    const path = join(folder, name);
    const source = readFileSync(path, "utf8");
    const code = codeOf(source);
    const first = firsts.get(code);
    if (!first) firsts.set(code, path);
    if (first) done.repeated += pointTo(first, path);
    else if (await narrow(path, source)) done.narrowed += 1;
    else continue;
    for (const written of [path, `${path}.map`]) handOn(root, written);
  }
  return done;
}

/**
 * A chunk without the line that names its map.
 * @param {string} source
 */
function codeOf(source) {
  const at = source.lastIndexOf(MAP_COMMENT);
  const isLast = at !== -1 && !/\s/.test(source.slice(at + MAP_COMMENT.length).trimEnd());
  return isLast ? source.slice(0, at) : source;
}

/** @param {string} first @param {string} path */
function pointTo(first, path) {
  const target = relative(dirname(path), first).replaceAll("\\", "/");
  writeFileSync(path, `module.exports = require(${JSON.stringify(`./${target}`)});\n`);
  rmSync(`${path}.map`, { force: true });
  return 1;
}

/**
 * @param {string} path
 * @param {string} source
 * @returns {Promise<boolean>} whether it was written anew; what cannot be is left as it is
 */
async function narrow(path, source) {
  const places = await escapable(source);
  if (places.length === 0) return false;
  let [code, end] = ["", 0];
  for (const place of places) {
    const digits = source.charCodeAt(place).toString(16).padStart(4, "0");
    code += `${source.slice(end, place)}\\u${digits}`;
    end = place + 1;
  }
  code += source.slice(end);
  const map = existsSync(`${path}.map`) ? JSON.parse(readFileSync(`${path}.map`, "utf8")) : null;
  if (map?.sections) return false;
  const moved = map && (await moveColumns(map, source, places));
  writeFileSync(path, code);
  if (moved) writeFileSync(`${path}.map`, JSON.stringify(moved));
  return true;
}

/**
 * Where characters of two bytes stand that an escape means the same as: in texts, patterns and
 * comments, but not behind a backslash of their own, nor in a template that its tag may read as it
 * is written. None where the source cannot be parsed.
 * @param {string} source
 * @returns {Promise<number[]>} ascending
 */
async function escapable(source) {
  const places = [...source.matchAll(TWO_BYTES)].map(({ index }) => index);
  if (places.length === 0) return places;
  const { parse } = await import("acorn");
  /** @type {[number, number][]} */
  const inside = [];
  /** @type {[number, number][]} */
  const tagged = [];
  /** @param {number} start @param {number} end */
  const keep = (start, end) => void inside.push([start, end]);
  try {
    const tree = parse(source, {
      ecmaVersion: "latest",
      onToken: ({ type: { label }, start, end }) =>
        TEXTS.includes(label) ? keep(start, end) : undefined,
      onComment: (_isBlock, text, start, end) =>
        /[\u2028\u2029]/.test(text) ? undefined : keep(start, end),
    });
    collectTagged(tree, tagged);
  } catch {
    return [];
  }
  /** @param {[number, number][]} ranges @param {number} place */
  const isIn = (ranges, place) => ranges.some(([from, to]) => place >= from && place < to);
  return places.filter(
    (place) => isIn(inside, place) && !isIn(tagged, place) && !isEscaped(source, place),
  );
}

/**
 * @param {unknown} node of a syntax tree
 * @param {[number, number][]} tagged where templates with a tag stand
 */
function collectTagged(node, tagged) {
  if (typeof node !== "object" || node === null) return;
  if ("type" in node && node.type === "TaggedTemplateExpression" && "quasi" in node) {
    const { start, end } = /** @type {import("acorn").TemplateLiteral} */ (node.quasi);
    tagged.push([start, end]);
  }
  for (const part of Object.values(node)) collectTagged(part, tagged);
}

/** @param {string} source @param {number} place */
function isEscaped(source, place) {
  let backslashes = 0;
  while (source[place - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

/**
 * A source map, with what it says of each line moved by what its escapes made longer.
 * @param {{ mappings: string }} map
 * @param {string} source as it was
 * @param {number[]} places where an escape stands now
 */
async function moveColumns(map, source, places) {
  const { decode, encode } = await import("@jridgewell/sourcemap-codec");
  const lines = decode(map.mappings);
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  for (const [line, segments] of lines.entries()) {
    const [from = 0, to = source.length] = starts.slice(line, line + 2);
    const columns = places.filter((place) => place >= from && place < to).map((at) => at - from);
    let passed = 0;
    for (const segment of segments) {
      while (passed < columns.length && Number(columns[passed]) < segment[0]) passed += 1;
      segment[0] += passed * LONGER;
    }
  }
  return { ...map, mappings: encode(lines) };
}

/**
 * @param {string} root
 * @param {string} path
 */
function handOn(root, path) {
  const copy = join(root, COPY, relative(join(root, SERVER), path));
  if (!existsSync(copy)) return;
  if (existsSync(path)) copyFileSync(path, copy);
  else rmSync(copy);
}
