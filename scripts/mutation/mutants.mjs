import ts from "typescript";
import { faultsOfStatement } from "./sql-mutants.mjs";

/**
 * One planted fault: the text from `start` to `end` of a file, and what stands there instead.
 * @typedef {{ file: string, line: number, kind: string, start: number, end: number, before: string,
 * after: string }} Mutant
 */

/** @type {Partial<Record<ts.SyntaxKind, string>>} */
const OPERATORS = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: "!==",
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: "===",
  [ts.SyntaxKind.LessThanToken]: "<=",
  [ts.SyntaxKind.LessThanEqualsToken]: "<",
  [ts.SyntaxKind.GreaterThanToken]: ">=",
  [ts.SyntaxKind.GreaterThanEqualsToken]: ">",
  [ts.SyntaxKind.AmpersandAmpersandToken]: "||",
  [ts.SyntaxKind.BarBarToken]: "&&",
};
/** What people and documents read: its words and numbers decide nothing. */
const PROSE = /^(examples?|description|summary|title|tags?|message|externalDocs|deprecated)$/;
/** Calls that only tell somebody, or only describe a schema. */
const TELLING =
  /^(log|logger|console|metrics|span|tracer)\b|\.(meta|describe|unref)$|^(tell\w*|observe\w*|count\w*Metric|failpoint)$/;
const SQL = /\b(SELECT|UPDATE|INSERT INTO|DELETE FROM|WHERE)\b/i;

/**
 * Every fault that can be planted in a source text, in the order of their places.
 * @param {string} file @param {string} text @returns {Mutant[]}
 */
export function mutantsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  /** @type {Mutant[]} */
  const mutants = [];
  /** @param {string} kind @param {number} start @param {number} end @param {string} after */
  const plant = (kind, start, end, after) => {
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    mutants.push({ file, line, kind, start, end, before: text.slice(start, end), after });
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (
      ts.isTypeNode(node) ||
      ts.isImportDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node)
    )
      return;
    if (ts.isVariableDeclaration(node) && /example/i.test(node.name.getText(source))) return;
    if (ts.isPropertyAssignment(node) && PROSE.test(node.name.getText(source))) return;
    if (ts.isCallExpression(node) && TELLING.test(node.expression.getText(source))) {
      // `schema.meta(…)` describes, but the schema before it counts.
      if (ts.isPropertyAccessExpression(node.expression)) visit(node.expression.expression);
      return;
    }
    if (ts.isNewExpression(node) || ts.isThrowStatement(node)) return void plantOfThrown(node);
    plantOf(node);
    ts.forEachChild(node, visit);
  };
  /** The words of an error are for people. @param {ts.Node} node */
  const plantOfThrown = (node) =>
    ts.forEachChild(node, (child) => (ts.isStringLiteralLike(child) ? undefined : visit(child)));
  /** @param {ts.Node} node */
  const plantOf = (node) => {
    const [start, end] = [node.getStart(source), node.end];
    if (ts.isBinaryExpression(node)) {
      const other = OPERATORS[node.operatorToken.kind];
      if (other)
        plant("operator", node.operatorToken.getStart(source), node.operatorToken.end, other);
    } else if (node.kind === ts.SyntaxKind.TrueKeyword) plant("boolean", start, end, "false");
    else if (node.kind === ts.SyntaxKind.FalseKeyword) plant("boolean", start, end, "true");
    else if (ts.isNumericLiteral(node))
      plant("number", start, end, String(Number(node.text.replaceAll("_", "")) + 1));
    else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      plant("negation", start, end, `(${node.operand.getText(source)})`);
    else if (ts.isConditionalExpression(node))
      plant(
        "condition",
        node.condition.getStart(source),
        node.condition.end,
        `!(${node.condition.getText(source)})`,
      );
    else if (ts.isIfStatement(node)) plantOfIf(node);
    else if (ts.isExpressionStatement(node)) plantOfCall(node);
    else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) plantOfSql(node);
  };
  /** @param {ts.IfStatement} node */
  const plantOfIf = (node) => {
    const leaves =
      ts.isReturnStatement(node.thenStatement) || ts.isThrowStatement(node.thenStatement);
    if (leaves && !node.elseStatement) plant("guard removed", node.getStart(source), node.end, ";");
    else
      plant(
        "condition",
        node.expression.getStart(source),
        node.expression.end,
        `!(${node.expression.getText(source)})`,
      );
  };
  /** @param {ts.ExpressionStatement} node */
  const plantOfCall = (node) => {
    const call = ts.isAwaitExpression(node.expression)
      ? node.expression.expression
      : node.expression;
    if (!ts.isCallExpression(call) || TELLING.test(call.expression.getText(source))) return;
    plant("call removed", node.getStart(source), node.end, ";");
  };
  /** @param {ts.Node} node */
  const plantOfSql = (node) => {
    const [start, written] = [node.getStart(source), node.getText(source)];
    if (!SQL.test(written)) return;
    for (const { kind, at, before, after } of faultsOfStatement(written))
      plant(kind, start + at, start + at + before.length, after);
  };
  visit(source);
  return mutants;
}
