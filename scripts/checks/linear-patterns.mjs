import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import ts from "typescript";
import { repositoryFiles } from "./repository-files.mjs";

/**
 * Regular expressions of the product, and which of them cost no more than a text is long (or than
 * its length times a constant), whatever the text.
 */

/**
 * @typedef {object} Pattern
 * @property {string} literal as it is written, with its flags
 * @property {string} source
 * @property {string} flags
 * @property {string[]} places `file:line`
 */

const FOLDERS = ["app", "bench", "clients", "components", "lib", "scripts"];
const CODE = new Set([".ts", ".tsx", ".js", ".mjs", ".cjs"]);
/** Tests, and what is generated, match no text of strangers. */
const LEFT_OUT =
  /\.(?:test|spec)\.|\/generated\/|openapi-types\.ts$|console-api-types\.ts$|^lib\/offline-model\/test\//;

/**
 * Every pattern that the code below these folders writes down: literals, and `new RegExp` of one
 * string.
 * @param {string} root
 * @returns {Pattern[]}
 */
export function patternsOf(root) {
  const files = repositoryFiles(root, FOLDERS).filter(
    (file) => CODE.has(extname(file)) && !LEFT_OUT.test(file),
  );
  /** @type {Map<string, Pattern>} */
  const found = new Map();
  for (const file of files)
    for (const pattern of patternsIn(file, readFileSync(join(root, file), "utf8")))
      merge(found, pattern);
  return [...found.values()].toSorted((left, right) => (left.literal < right.literal ? -1 : 1));
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {Pattern[]}
 */
export function patternsIn(file, text) {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : undefined;
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  /** @type {Pattern[]} */
  const found = [];
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    const place = () => `${file}:${parsed.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push({
        literal: node.text,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
        places: [place()],
      });
    }
    if (
      ts.isNewExpression(node) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === "RegExp"
    ) {
      const [source, flags] = node.arguments ?? [];
      if (source && ts.isStringLiteralLike(source)) {
        const said = flags && ts.isStringLiteralLike(flags) ? flags.text : "";
        found.push({
          literal: `/${source.text}/${said}`,
          source: source.text,
          flags: said,
          places: [place()],
        });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

/**
 * @param {Map<string, Pattern>} found
 * @param {Pattern} pattern
 */
function merge(found, pattern) {
  const known = found.get(pattern.literal);
  if (known) known.places.push(...pattern.places);
  else found.set(pattern.literal, pattern);
}

const PROOF_MS = 15_000;

/**
 * Proves a pattern linear by its automaton; what a time limit ends, or what has no automaton
 * (look-around, back-references), is not proven.
 * @param {Pattern} pattern
 * @returns {Promise<string | null>} why not; null: it is
 */
export async function whyNotLinear({ source, flags }) {
  const { check } = await import("recheck");
  const result = await check(source, flags.replaceAll("d", "").replaceAll("v", "u"), {
    checker: "automaton",
    timeout: PROOF_MS,
  });
  if (result.status === "safe") return null;
  if (result.status === "vulnerable")
    return `${result.complexity.summary}, for example on ${result.attack.pattern.slice(0, 200)}`;
  return result.error.kind === "unsupported"
    ? `it cannot be proven: it has a ${result.error.message}`
    : "it could not be proven in time";
}
