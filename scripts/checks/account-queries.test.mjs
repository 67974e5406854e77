import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import {
  accountlessIn,
  accountlessInSql,
  findAccountlessQueries,
  ownedModels,
} from "./account-queries.mjs";

/** @type {string[]} */
const folders = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/**
 * A tree with one file of the domain.
 * @param {string} text
 */
function treeWith(text, path = "lib/domain/agents/get-agent.ts") {
  const root = mkdtempSync(join(tmpdir(), "account-queries-"));
  folders.push(root);
  mkdirSync(join(root, "app"));
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return root;
}

test.each([
  'query("SELECT name FROM agents WHERE id = $1", [id])',
  "query(`UPDATE runs r SET status = 'failed' WHERE r.id = $1`)",
  'query("DELETE FROM skills WHERE id = $1")',
  "query(`SELECT 1 FROM approvals p\n  JOIN runs r ON r.id = p.run_id\n  WHERE p.id = $2`)",
  "query(`SELECT $" + "{COLUMNS} FROM runs WHERE id = ANY($1::uuid[])`)",
  "prisma().agent.findUnique({ where: { id } })",
  "prisma().workspaceFile.updateMany({ where: { id: fileId }, data: { path } })",
  "tx.apiKey.delete({ where: { id } })",
])("a query by id without the account is found: %s", (source) => {
  expect(accountlessIn(source)).toHaveLength(1);
});

test.each([
  'query("SELECT name FROM agents WHERE id = $1 AND account_id = $2", [id, principal.accountId])',
  "prisma().agent.findFirst({ where: { id, accountId: principal.accountId } })",
  'query("SELECT name FROM accounts WHERE id = $1")',
  "query(\"SELECT id FROM runs WHERE status = 'pending' LIMIT 500\")",
  'query("INSERT INTO skill_files (skill_id, path, bytes) VALUES ($1, $2, $3)")',
  '"Read the table from runs and say where id is."',
])("what names the account, or finds nothing by an id, passes: %s", (source) => {
  expect(accountlessIn(source)).toEqual([]);
});

test("a database function's statement is looked at by its arguments, variables and rows", () => {
  const body = (/** @type {string} */ statement) =>
    "-- Ends runs of an account_id.\nBEGIN\n  PERFORM 1 FROM runs WHERE account_id = p_account;\n" +
    `  IF FOUND THEN ${statement}; END IF;\nEND`;
  for (const found of [
    "UPDATE runs SET status = 'failed' WHERE id = p_run",
    "SELECT name INTO v_name FROM agents WHERE id = v_agent",
    "DELETE FROM approvals WHERE run_id = OLD.id",
  ])
    expect([found, accountlessInSql(body(found)).length]).toEqual([found, 1]);
  expect(
    accountlessInSql(
      body("UPDATE runs SET status = 'failed' WHERE id = p_run AND account_id = p_a"),
    ),
  ).toEqual([]);
  const root = treeWith(body("DELETE FROM agents WHERE id = p_id"), "prisma/functions/gone.sql");
  mkdirSync(join(root, "lib"));
  expect(findAccountlessQueries(root, {})).toEqual([
    expect.stringContaining("prisma/functions/gone.sql finds rows by id without their account"),
  ]);
});

test("a planted violation is named by file, or passes by an exact exception; others fail", () => {
  const root = treeWith(
    'export const get = (id) => query("SELECT name FROM agents WHERE id = $1", [id]);',
  );
  const path = "lib/domain/agents/get-agent.ts";
  expect(findAccountlessQueries(root, {})).toEqual([
    expect.stringContaining(`${path} finds rows by id without their account`),
  ]);
  expect(
    findAccountlessQueries(root, { [path]: { statements: 1, reason: "the engine's own id" } }),
  ).toEqual([]);
  expect(
    findAccountlessQueries(root, { [path]: { statements: 2, reason: "the engine's own id" } }),
  ).toEqual([expect.stringContaining("correct its exception")]);
  expect(
    findAccountlessQueries(root, {
      [path]: { statements: 1, reason: "" },
      "lib/gone.ts": { statements: 1, reason: "" },
    }),
  ).toEqual(["lib/gone.ts is gone: remove its exception."]);
});

test("tests and generated code are not looked at", () => {
  const source = 'query("SELECT name FROM agents WHERE id = $1")';
  expect(
    findAccountlessQueries(treeWith(source, "lib/domain/agents/get-agent.db.test.ts"), {}),
  ).toEqual([]);
  expect(findAccountlessQueries(treeWith(source, "lib/storage/generated/client.ts"), {})).toEqual(
    [],
  );
});

test("an account's own is what the schema says, by the names of SQL and of Prisma", () => {
  const schema = `model FileText {
  fileId    String @map("file_id") @db.Uuid
  accountId String @map("account_id") @db.Uuid

  @@map("file_texts")
}

model EngineStep {
  runId String

  @@map("engine_steps")
}
`;
  expect(ownedModels(schema)).toEqual([{ model: "fileText", table: "file_texts" }]);
});

test.each([
  "file_texts",
  "file_indexes",
  "user_sessions",
  "uploads",
  "webhook_deliveries",
  "skill_files",
])("rows of %s are not found by an id alone", (table) => {
  expect(accountlessIn(`db.query("SELECT 1 FROM ${table} WHERE id = $1")`)).toHaveLength(1);
  expect(
    accountlessIn(`db.query("SELECT 1 FROM ${table} WHERE id = $1 AND account_id = $2")`),
  ).toEqual([]);
});
