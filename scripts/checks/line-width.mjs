import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryFiles } from "./repository-files.mjs";

const WIDTH = 100;
const KINDS = ["ts", "tsx", "mjs", "cjs", "js", "sql", "css", "md"];
const SOURCES = [...KINDS.map((kind) => `*.${kind}`), ".env.example"];
/** What was released is never edited; the schema is PostgreSQL's own words. */
const AS_WRITTEN = ["prisma/migrations", "prisma/schema.sql"];

/** What a line is where no break helps it, whatever it says. */
const UNBREAKABLE = [
  // One token: an address, a digest, a long name, behind no more than a list's or a quote's mark.
  /^\s*(?:(?:[-*+>]|\d+\.|--|\/\/) )*\S+$/u,
  // A row of a table of Markdown, also in a text of the code.
  /^\s*\|.*\|$/,
  // The path of an import.
  /^(?:import|export|\}) .*from "[^"]+";$/,
  // The classes of an element.
  /\bclassName=["{]/,
  // A pattern, as a literal or as a text.
  /^\s*(?:\w+: |!)?(?:String\.raw`)?\/[^/*].*\/[a-z]*`?(?:\.\w+\()?[),;]*$/,
];

/**
 * The lines of the sources that are too wide, as `file:line: width`.
 * @param {string} root
 */
export function wideLines(root) {
  const generated = generatedPaths(root);
  return repositoryFiles(root, SOURCES)
    .filter((file) => !generated.some((path) => file === path || file.startsWith(`${path}/`)))
    .flatMap((file) => wideLinesIn(file, readFileSync(join(root, file), "utf8")));
}

/**
 * The same of one file's text.
 * @param {string} file
 * @param {string} text
 */
export function wideLinesIn(file, text) {
  const lines = text.split("\n");
  const isCode = file.endsWith(".md") ? codeIn(lines) : () => false;
  return lines.flatMap((line, at) => {
    const width = [...line].length;
    const isWide =
      width > WIDTH && !isCode(at) && !UNBREAKABLE.some((pattern) => pattern.test(line));
    return isWide ? [`${file}:${at + 1}: ${width}`] : [];
  });
}

/**
 * Which lines of a page stand in a block of code: what is shown there is what runs, or came out.
 * @param {string[]} lines
 */
function codeIn(lines) {
  /** @type {Set<number>} */
  const code = new Set();
  let fence = "";
  for (const [at, line] of lines.entries()) {
    const [, mark = ""] = /^[\s>]*(?:[-*+] |\d+\. )?(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence) code.add(at);
    if (!fence) fence = mark;
    else if (mark.startsWith(fence) && line.trim().endsWith(mark)) fence = "";
  }
  return (/** @type {number} */ at) => code.has(at);
}

/**
 * What nobody formats, as Biome is told.
 * @param {string} root
 */
function generatedPaths(root) {
  /** @type {{ files: { includes: string[] } }} */
  const { files } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
  const left = files.includes.filter((path) => path.startsWith("!")).map((path) => path.slice(1));
  return [...left, ...AS_WRITTEN];
}
