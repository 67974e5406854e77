import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { callersOf } from "./sql-callers.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const functions = new Map([
  ["take", "CREATE FUNCTION take() … BEGIN PERFORM kept(1); END"],
  ["kept", "CREATE FUNCTION kept(p integer) …"],
  ["told", "CREATE FUNCTION told() RETURNS trigger …"],
]);
const schema =
  "CREATE TRIGGER t AFTER INSERT ON public.runs FOR EACH ROW EXECUTE FUNCTION told();\n";
const sources = new Map([
  ["lib/a.ts", 'await callSql(tx, "take", {});'],
  ["lib/b.ts", 'await tx.query("INSERT INTO runs (id) VALUES ($1)", [id]);'],
  ["lib/c.ts", 'const take = "take";'],
]);

test("a function is set to work by its callers, theirs, and its trigger's writers", () => {
  expect(callersOf("take", functions, sources, schema)).toEqual(["lib/a.ts"]);
  expect(callersOf("kept", functions, sources, schema)).toEqual(["lib/a.ts"]);
  expect(callersOf("told", functions, sources, schema)).toEqual(["lib/b.ts"]);
});

test("faults are planted in the functions of the database, too", () => {
  const listed = execFileSync(
    process.execPath,
    ["scripts/mutate.mjs", "--list", "--count", "5", "--only", "prisma/functions/"],
    { cwd: ROOT, encoding: "utf8" },
  );
  const planted = [...listed.matchAll(/^prisma\/functions\/(\w+\.sql):\d+ /gm)];
  expect(planted).toHaveLength(5);
});
