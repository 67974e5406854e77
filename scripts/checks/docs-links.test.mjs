import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDERS = ["docs", "examples", "clients", "deploy"];

/**
 * The Markdown files of a folder and of those below it.
 * @param {string} folder
 * @returns {string[]}
 */
function markdownFiles(folder) {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name === "node_modules" || entry.name.startsWith(".") ? [] : markdownFiles(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

const files = [
  ...readdirSync(ROOT).filter(
    (name) => name.endsWith(".md") && statSync(join(ROOT, name)).isFile(),
  ),
  ...FOLDERS.flatMap(markdownFiles),
];

/** @param {string} file */
function readPage(file) {
  // What stands in code is no link and no heading.
  return readFileSync(join(ROOT, file), "utf8").replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, "");
}

/**
 * The anchors of a page's headings, as GitHub makes them.
 * @param {string} file
 */
function anchorsOf(file) {
  /** @type {Set<string>} */
  const anchors = new Set();
  for (const [, heading = ""] of readPage(file).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
    const anchor = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, "")
      .replaceAll(" ", "-");
    let name = anchor;
    for (let count = 1; anchors.has(name); count++) name = `${anchor}-${count}`;
    anchors.add(name);
  }
  return anchors;
}

/** @param {string} file */
function linksOf(file) {
  const text = readPage(file).replace(/`[^`\n]*`/g, "");
  const inline = [...text.matchAll(/\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)?)\)/g)].map(
    ([, target = ""]) => target,
  );
  const html = [...text.matchAll(/(?:src|srcset|href)="([^"]+)"/g)].map(
    ([, target = ""]) => target,
  );
  return [...inline, ...html].filter((target) => !/^[a-z]+:/i.test(target));
}

test("every relative link of a document leads to a file, every anchor to a heading", () => {
  const links = files.flatMap((file) => linksOf(file).map((target) => ({ file, target })));
  expect(links.length).toBeGreaterThan(100);
  const broken = links.filter(({ file, target }) => {
    const [path = "", anchor] = target.split("#");
    const goal =
      path === "" ? file : relative(ROOT, resolve(ROOT, dirname(file), decodeURIComponent(path)));
    if (goal.startsWith("..") || !existsSync(join(ROOT, goal))) return true;
    return anchor !== undefined && !(goal.endsWith(".md") && anchorsOf(goal).has(anchor));
  });
  expect(broken).toEqual([]);
});

test("the index of docs links every page of docs, and the README the index", () => {
  const linked = new Set(
    linksOf("docs/README.md").map((target) => join("docs", target.split("#")[0] ?? "")),
  );
  const pages = readdirSync(join(ROOT, "docs")).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );
  expect(pages.map((name) => join("docs", name)).filter((page) => !linked.has(page))).toEqual([]);
  expect(linksOf("README.md")).toContain("docs/README.md");
});

test("the pictures of the README are small", () => {
  const pictures = linksOf("README.md").filter((target) => target.endsWith(".png"));
  expect(pictures.length).toBeGreaterThanOrEqual(2);
  for (const picture of pictures)
    expect(statSync(join(ROOT, picture)).size, picture).toBeLessThan(300_000);
});
