import { expect, test } from "vitest";
import { mutantsOf } from "./mutants.mjs";

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

test("of a statement's SQL each condition beyond the first is made true, with its values, and each comparison moved by its edge", () => {
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
