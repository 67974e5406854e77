/** @typedef {import("./mutants.mjs").Mutant} Mutant */

/**
 * A condition beyond the first, up to what ends it. Its values stay, so that the statement can
 * still be prepared.
 */
const CONDITION =
  /\b(AND)\s+((?:(?!\b(?:AND|OR|ORDER BY|GROUP BY|LIMIT|RETURNING|FOR (?:NO KEY )?(?:UPDATE|SHARE)|UNION|THEN|ON CONFLICT)\b|--)[^()`;]|\([^()]*\))+)/gi;
const COMPARISON = /(?<![<>=!-])(<=|>=|<|>)(?![<>=])/g;
const BRANCH = /(?<!\bEND )\b(?:ELS)?IF\s+((?:(?!\bTHEN\b)[^;])+?)\s+THEN\b/g;
const CALL = /\bPERFORM\s+[^;]+;/g;
const BOUND = /\b(greatest|least)\(/gi;
const COMMENT = /--[^\n]*/g;

/**
 * What can be planted in the text of a statement: each with where it begins in `sql`.
 * @param {string} sql
 * @returns {{ kind: string, at: number, before: string, after: string }[]}
 */
export function faultsOfStatement(sql) {
  return [
    ...[...sql.matchAll(CONDITION)].map((found) => ({
      kind: "SQL condition",
      at: found.index,
      before: found[0].trimEnd(),
      after: `AND (TRUE OR ${(found[2] ?? "").trim()})`,
    })),
    ...[...sql.matchAll(COMPARISON)].map((found) => ({
      kind: "SQL comparison",
      at: found.index,
      before: found[0],
      after: found[0].length === 2 ? found[0].slice(0, 1) : `${found[0]}=`,
    })),
  ];
}

/**
 * Every fault that can be planted in a function of the database, in the order of their places.
 * @param {string} file @param {string} text @returns {Mutant[]}
 */
export function mutantsOfFunction(file, text) {
  const comments = [...text.matchAll(COMMENT)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  const body = text.indexOf("$$");
  return [
    ...faultsOfStatement(text),
    ...[...text.matchAll(BRANCH)].map((found) => {
      const condition = found[1] ?? "";
      const at = found.index + found[0].indexOf(condition);
      return { kind: "condition", at, before: condition, after: `NOT (${condition})` };
    }),
    ...[...text.matchAll(CALL)].map((found) => ({
      kind: "call removed",
      at: found.index,
      before: found[0],
      after: "NULL;",
    })),
    ...[...text.matchAll(BOUND)].map((found) => ({
      kind: "bound",
      at: found.index,
      before: found[0],
      after: found[1]?.toLowerCase() === "least" ? "greatest(" : "least(",
    })),
  ]
    .filter(({ at }) => at > body && !comments.some(({ start, end }) => start <= at && at < end))
    .sort((a, b) => a.at - b.at)
    .map(({ kind, at, before, after }) => {
      const line = text.slice(0, at).split("\n").length;
      return { file, line, kind, start: at, end: at + before.length, before, after };
    });
}
