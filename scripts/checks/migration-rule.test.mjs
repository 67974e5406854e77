import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { migrationFolders } from "../postgres/migrate.mjs";
import { contractingStatements } from "./migration-rule.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Older ones were there before the rule. */
const FIRST = "20261122080000";

test("every migration only adds, or says that nothing touches any more what it takes away", () => {
  const faults = migrationFolders(root)
    .filter(({ name }) => name > FIRST)
    .flatMap(({ name, sql }) => contractingStatements(sql).map((fault) => `${name} ${fault}`));
  expect(faults).toEqual([]);
});

test.each([
  ['DROP TABLE "things";', "drops something"],
  ['ALTER TABLE "things" DROP COLUMN "name";', "drops something"],
  ['ALTER TABLE "things" RENAME COLUMN "a" TO "b";', "renames something"],
  ['ALTER TABLE "things" ALTER COLUMN "a" SET DATA TYPE BIGINT;', "changes a column's type"],
  ['ALTER TABLE "things" ALTER COLUMN "a" SET NOT NULL;', "refuses nulls"],
  [
    'ALTER TABLE "things" ADD COLUMN "a" TEXT,\nADD COLUMN     "b" TEXT NOT NULL;',
    "adds a column that older code does not fill",
  ],
])("it is told of %s, unless the migration says that it is the time for it", (sql, what) => {
  expect(contractingStatements(sql)).toEqual([expect.stringContaining(what)]);
  expect(contractingStatements(`-- contract: nothing since 1.1 reads it.\n${sql}`)).toEqual([]);
});

test.each([
  ['ALTER TABLE "things" ADD COLUMN "a" TEXT, ADD COLUMN "b" INTEGER NOT NULL DEFAULT 0;'],
  ['ALTER TABLE "things" ADD COLUMN "place" BIGSERIAL NOT NULL;'],
  ['CREATE TABLE "things" ("id" INTEGER NOT NULL, "name" TEXT NOT NULL);'],
  ['DROP INDEX "things_name_idx";\nCREATE INDEX "things_id_idx" ON "things"("id");'],
  [
    "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'DROP TABLE x'; END $$;",
  ],
])("%s is let pass", (sql) => {
  expect(contractingStatements(sql)).toEqual([]);
});
