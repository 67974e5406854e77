import { readFileSync } from "node:fs";
import ts from "typescript";

/**
 * The titles of a test file's tests, as they stand in the source: a template keeps its `${…}`.
 * Steps that a file lists by a `step` of its own are tests here; groups (`describe`) are none.
 * @param {string} file
 */
export function testTitles(file) {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  /** @type {string[]} */
  const titles = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const title =
      ts.isCallExpression(node) && isTest(node.expression)
        ? titleOf(node.arguments[0], source)
        : null;
    if (title !== null) titles.push(title);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/**
 * `test`, `it`, `step`, and `test.each(rows)` of them.
 * @param {ts.Expression} callee
 * @returns {boolean}
 */
function isTest(callee) {
  if (ts.isIdentifier(callee)) return ["test", "it", "step"].includes(callee.text);
  return (
    ts.isCallExpression(callee) &&
    ts.isPropertyAccessExpression(callee.expression) &&
    callee.expression.name.text === "each" &&
    isTest(callee.expression.expression)
  );
}

/**
 * @param {ts.Node | undefined} node
 * @param {ts.SourceFile} source
 * @returns {string | null}
 */
function titleOf(node, source) {
  if (node === undefined) return null;
  if (ts.isBinaryExpression(node)) {
    const parts = [titleOf(node.left, source), titleOf(node.right, source)];
    return parts.includes(null) ? null : parts.join("");
  }
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.getText(source).slice(1, -1) : null;
}
