import ts from "typescript";

/** Where the blocks that a test has executed are gathered, in its own process. */
export const EXECUTED = "__executedBlocks";

/** @typedef {{ start: number, end: number, isExpression: boolean }} Block */

/**
 * The parts of a source that run or do not run as a whole: bodies of functions, branches, loops.
 * @param {string} file @param {string} text @returns {Block[]} in the order of their places; an
 * outer one before what it holds
 */
export function blocksOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  /** @type {Block[]} */
  const blocks = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isBlock(node))
      blocks.push({ start: node.getStart(source), end: node.end, isExpression: false });
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body))
      blocks.push({ start: node.body.getStart(source), end: node.body.end, isExpression: true });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return blocks;
}

/**
 * The source with a mark in each block, which says that it was entered; where nobody gathers the
 * marks they do nothing.
 * @param {string} file @param {string} text
 * @param {import("./mutants.mjs").Mutant} [mutant] planted as well; the marks name the places that
 * the blocks have without it
 * @returns {string}
 */
export function instrumented(file, text, mutant) {
  const pieces = blocksOf(file, text).flatMap(({ start, end, isExpression }) => {
    // What the fault replaces has no blocks any more.
    if (
      mutant &&
      start < mutant.end &&
      (isExpression
        ? mutant.start < end && (mutant.start <= start || mutant.end > end)
        : mutant.start <= start)
    )
      return [];
    const mark = `globalThis.${EXECUTED}?.add(${JSON.stringify(`${file}:${start}`)})`;
    if (!isExpression) return [{ from: start + 1, to: start + 1, text: `${mark};`, rank: 1 }];
    return [
      { from: start, to: start, text: `(${mark},`, rank: 1 },
      { from: end, to: end, text: ")", rank: 0 },
    ];
  });
  if (mutant) pieces.push({ from: mutant.start, to: mutant.end, text: mutant.after, rank: 2 });
  pieces.sort((a, b) => a.from - b.from || a.rank - b.rank);
  let [whole, at] = ["", 0];
  for (const piece of pieces) {
    whole += text.slice(at, piece.from) + piece.text;
    at = piece.to;
  }
  return whole + text.slice(at);
}
