import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { compactChunks } from "./compact-chunks.mjs";

const require = createRequire(import.meta.url);
const CHUNKS = ".next/server/chunks";
const COPIES = ".next/standalone/.next/server/chunks";
/** @type {string[]} */
const roots = [];

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

test("a chunk that is there twice is kept once, and loaded once", async () => {
  const code = "module.exports=[7,()=>globalThis.loads=(globalThis.loads??0)+1];";
  const root = build({ "a.js": code, "b.js": code, "ssr/c.js": code, "d.js": `${code};` });

  expect(await compactChunks(root)).toEqual({ repeated: 2, narrowed: 0 });
  const [a, b, c, d] = ["a.js", "b.js", "ssr/c.js", "d.js"].map((name) =>
    require(join(root, CHUNKS, name)),
  );
  expect(b).toBe(a);
  expect(c).toBe(a);
  expect(d).not.toBe(a);
  // The copy for an image is the same.
  for (const name of ["a.js", "b.js", "ssr/c.js"])
    expect(read(root, COPIES, name)).toBe(read(root, CHUNKS, name));
  expect(() => read(root, CHUNKS, "b.js.map")).toThrow("ENOENT");
  expect(() => read(root, COPIES, "b.js.map")).toThrow("ENOENT");
});

test("characters of two bytes become escapes that mean the same", async () => {
  const code = [
    'exports.text="“a” 😀";exports.cooked=`…`;exports.pattern=/^[’😀]$/u;/* — */',
    "exports.raw=String.raw`…`;exports.latin='é';",
  ].join("\n");
  const root = build({ "a.js": code, "ascii.js": "exports.a='a'" });

  expect(await compactChunks(root)).toEqual({ repeated: 0, narrowed: 1 });
  const { text, cooked, pattern, raw, latin } = require(join(root, CHUNKS, "a.js"));
  expect([text, cooked, raw, latin]).toEqual(["“a” 😀", "…", "…", "é"]);
  expect(["’", "😀", "\ud83d"].map((each) => pattern.test(each))).toEqual([true, true, false]);
  expect(read(root, CHUNKS, "a.js").replace("String.raw`…`", "")).not.toMatch(/[\u0100-\uffff]/);
  expect(read(root, COPIES, "a.js")).toBe(read(root, CHUNKS, "a.js"));
});

test("what an escape would change stays, and so does what cannot be read", async () => {
  const behind = "exports.text='\\—';exports.pattern=/^\\…$/;exports.wide='…';";
  const names = "const 𝒳='…';exports.text=𝒳;";
  const odd = "exports.text='…';exports.={";
  const root = build({ "a.js": behind, "b.js": names, "c.js": odd });

  expect(await compactChunks(root)).toEqual({ repeated: 0, narrowed: 2 });
  const { text, pattern, wide } = require(join(root, CHUNKS, "a.js"));
  expect([text, pattern.test("…"), wide]).toEqual(["—", true, "…"]);
  expect(require(join(root, CHUNKS, "b.js")).text).toBe("…");
  expect(read(root, CHUNKS, "c.js")).toContain(odd);
});

test("source maps go on naming the same places", async () => {
  const root = build({ "a.js": 'exports.a="……";thrown();\nexports.b="…";again();' });
  const before = new SourceMap(JSON.parse(read(root, CHUNKS, "a.js.map")));
  const [first = "", second = ""] = read(root, CHUNKS, "a.js").split("\n");
  const were = [
    before.findEntry(0, first.indexOf("thrown")),
    before.findEntry(1, second.indexOf("again")),
  ];

  await compactChunks(root);
  const after = new SourceMap(JSON.parse(read(root, CHUNKS, "a.js.map")));
  const [newFirst = "", newSecond = ""] = read(root, CHUNKS, "a.js").split("\n");
  const are = [
    after.findEntry(0, newFirst.indexOf("thrown")),
    after.findEntry(1, newSecond.indexOf("again")),
  ];
  expect(newFirst.indexOf("thrown")).toBe(first.indexOf("thrown") + 10);
  for (const [index, entry] of are.entries()) {
    expect(entry).toMatchObject({ originalLine: index * 3, originalColumn: 4 });
    expect(were[index]).toMatchObject({ originalLine: index * 3, originalColumn: 4 });
  }
});

/**
 * A built folder with these chunks and their copies. Each chunk's map has two calls at column 4 of
 * the lines 1 and 4 of its source.
 * @param {Record<string, string>} chunks
 */
function build(chunks) {
  const root = mkdtempSync(join(tmpdir(), "lathe-chunks-"));
  roots.push(root);
  for (const folder of [CHUNKS, COPIES]) {
    mkdirSync(join(root, folder, "ssr"), { recursive: true });
    for (const [name, code] of Object.entries(chunks)) {
      const file = name.split("/").at(-1);
      writeFileSync(join(root, folder, name), `${code}\n\n//# sourceMappingURL=${file}.map`);
      const map = { version: 3, sources: ["a.ts"], names: [], mappings: "AAAA,eAAI;AAGJ,cAAI" };
      writeFileSync(join(root, folder, `${name}.map`), JSON.stringify(map));
    }
  }
  return root;
}

/** @param {string} root @param {string} folder @param {string} name */
function read(root, folder, name) {
  return readFileSync(join(root, folder, name), "utf8");
}
