import { expect, test } from "vitest";
import { mutantsOf } from "./mutants.mjs";
import { mutantsOfFunction } from "./sql-mutants.mjs";

/** @param {string} text */
const plantedIn = (text) =>
  mutantsOf("a.ts", text).map(({ kind, start, end, after }) => [
    kind,
    text.slice(0, start) + after + text.slice(end),
  ]);

test("what a source decides is turned round, and nothing else of it changes", () => {
  expect(plantedIn("const a = b < 3 && !c;")).toEqual([
    ["operator", "const a = b < 3 || !c;"],
    ["operator", "const a = b <= 3 && !c;"],
    ["number", "const a = b < 4 && !c;"],
    ["negation", "const a = b < 3 && (c);"],
  ]);
  expect(plantedIn("if (a) return b;\nif (c) d = true;")).toEqual([
    ["guard removed", ";\nif (c) d = true;"],
    ["condition", "if (a) return b;\nif (!(c)) d = true;"],
    ["boolean", "if (a) return b;\nif (c) d = false;"],
  ]);
  expect(plantedIn("await save(a);")).toEqual([["call removed", ";"]]);
});

test("of SQL each condition beyond the first is made true, each comparison moved", () => {
  expect(plantedIn('const sql = "DELETE FROM a WHERE b = $1 AND c <= $2 ORDER BY d";')).toEqual([
    ["SQL condition", 'const sql = "DELETE FROM a WHERE b = $1 AND (TRUE OR c <= $2) ORDER BY d";'],
    ["SQL comparison", 'const sql = "DELETE FROM a WHERE b = $1 AND c < $2 ORDER BY d";'],
  ]);
});

test("types, messages, examples and what is only told to somebody are left alone", () => {
  for (const text of [
    "type A = 1 | true;",
    "interface A { b: true }",
    'import a from "b";',
    'throw new Fault("There are 2 of them");',
    "const example = { a: true };",
    "const b = { description: 'WHERE a AND b < 1', examples: [1] };",
    "log.warn({ a: 1 }, 'b');",
    "const schema = string.meta({ minimum: 1 });",
  ])
    expect(plantedIn(text), text).toEqual([]);
});

test("in a database function its code is turned round, not comments or arguments", () => {
  const text = `-- AND so on < that.
CREATE OR REPLACE FUNCTION f(p_a integer)
RETURNS integer
LANGUAGE plpgsql AS $$
BEGIN
  -- IF nothing THEN
  UPDATE a SET b = least(b, 1) WHERE c = p_a AND d > 2;
  IF NOT FOUND THEN
    PERFORM g(p_a);
  END IF;
END $$;
`;
  const planted = mutantsOfFunction("prisma/functions/f.sql", text);
  expect(planted.map(({ line, kind, before, after }) => [line, kind, before, after])).toEqual([
    [7, "bound", "least(", "greatest("],
    [7, "SQL condition", "AND d > 2", "AND (TRUE OR d > 2)"],
    [7, "SQL comparison", ">", ">="],
    [8, "condition", "NOT FOUND", "NOT (NOT FOUND)"],
    [9, "call removed", "PERFORM g(p_a);", "NULL;"],
  ]);
});
