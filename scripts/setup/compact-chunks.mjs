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
import { Script } from "node:vm";

const SERVER = ".next/server";
/** Where `output: "standalone"` has put a copy. */
const COPY = ".next/standalone/.next/server";
/** What the last line of a chunk begins with, which alone says its name. */
const MAP_COMMENT = "\n//# sourceMappingURL=";
/** What makes V8 keep a whole source text with two bytes a character. */
const TWO_BYTES = /[\u0100-\uffff]/g;
/** A `\uXXXX` is this much longer than its character. */
const LONGER = 5;

if (process.argv[1] === fileURLToPath(import.meta.url)) await compactChunks(process.argv[2] ?? ".");

/**
 * Makes smaller what a process of the built clone at `root` holds of its own code, some 45 MiB.
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
 * @returns {Promise<boolean>} whether there was something to do
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
  // It says so here, not when it is first asked for.
  new Script(code, { filename: path });
  writeFileSync(path, code);
  if (existsSync(`${path}.map`)) await moveColumns(`${path}.map`, source, places);
  return true;
}

/**
 * Where characters of two bytes stand that an escape means the same as: in texts, patterns, names
 * and comments, but not in a template that its tag may read as it is written.
 * @param {string} source
 * @returns {Promise<number[]>} ascending
 */
async function escapable(source) {
  const places = [...source.matchAll(TWO_BYTES)].map(({ index }) => index);
  if (places.length === 0) return places;
  const { default: ts } = await import("typescript");
  const tree = ts.createSourceFile("chunk.js", source, ts.ScriptTarget.Latest, false);
  /** @type {[number, number][]} */
  const tagged = [];
  /** @param {import("typescript").Node} node */
  const visit = (node) => {
    if (ts.isTaggedTemplateExpression(node)) tagged.push([node.template.pos, node.template.end]);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return places.filter((place) => !tagged.some(([from, to]) => place >= from && place < to));
}

/**
 * Moves what a source map says of each line by what its escapes made longer.
 * @param {string} path
 * @param {string} source as it was
 * @param {number[]} places where an escape stands now
 */
async function moveColumns(path, source, places) {
  const { decode, encode } = await import("@jridgewell/sourcemap-codec");
  const map = JSON.parse(readFileSync(path, "utf8"));
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
  writeFileSync(path, JSON.stringify({ ...map, mappings: encode(lines) }));
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
