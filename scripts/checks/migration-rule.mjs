/**
 * Statements that break a running process of the release before; see docs/operations.md, "Rolling
 * updates".
 */
/** @type {[pattern: RegExp, what: string][]} */
const CONTRACTING = [
  [/\bDROP\s+(TABLE|COLUMN|VIEW|TYPE|FUNCTION)\b/i, "drops something"],
  [/\bRENAME\b/i, "renames something"],
  [/\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b/i, "changes a column's type"],
  [/\bALTER\s+COLUMN\s+\S+\s+SET\s+NOT\s+NULL\b/i, "refuses nulls in a column that was there"],
];
/** A new column that must be given, and whose default nobody knows. */
const OBLIGATORY =
  /\bADD\s+COLUMN\b(?![^,;]*\b(?:DEFAULT|(?:BIG|SMALL)?SERIAL|GENERATED)\b)[^,;]*\bNOT\s+NULL\b/i;

/**
 * What a migration does that only the next release may do: one sentence for each such statement. A
 * comment `-- contract: …` in the migration says that no code of the release before touches what it
 * takes away.
 * @param {string} sql
 */
export function contractingStatements(sql) {
  if (/^-- contract: \S/m.test(sql)) return [];
  return sql
    .replace(/\$\$[\s\S]*?\$\$/g, "")
    .replace(/^[ \t]*--.*$/gm, "")
    .split(";")
    .flatMap((statement) => {
      const found = CONTRACTING.filter(([pattern]) => pattern.test(statement)).map(
        ([, what]) => what,
      );
      if (OBLIGATORY.test(statement)) found.push("adds a column that older code does not fill");
      return found.map((what) => `${what}: ${statement.replace(/\s+/g, " ").trim().slice(0, 120)}`);
    });
}
