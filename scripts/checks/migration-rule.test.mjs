import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrationFaults } from "./migration-rule.mjs";

/** What is refused, unless the migration says that it is the time for it. */
const CONTRACTING = {
  "drops a table": ['DROP TABLE "things";', "ban-drop-table"],
  "drops a column": ['ALTER TABLE "things" DROP COLUMN "name";', "ban-drop-column"],
  "drops a function": ["DROP FUNCTION f(integer);", "drops something"],
  "renames a column": ['ALTER TABLE "things" RENAME COLUMN "a" TO "b";', "renaming-column"],
  "renames a table": ['ALTER TABLE "things" RENAME TO "others";', "renaming-table"],
  "renames a type": ['ALTER TYPE "kind" RENAME TO "sort";', "renames something"],
  "changes a type": [
    'ALTER TABLE "things" ALTER COLUMN "a" SET DATA TYPE BIGINT;',
    "changing-column-type",
  ],
  "refuses nulls": [
    'ALTER TABLE "things" ALTER COLUMN "a" SET NOT NULL;',
    "adding-not-nullable-field",
  ],
  "adds what older code does not fill": [
    'ALTER TABLE "things" ADD COLUMN "a" TEXT,\nADD COLUMN     "b" TEXT NOT NULL;',
    "adding-required-field",
  ],
};
/** What is refused whatever the migration says. */
const LOCKING = {
  "builds an index while nobody may write": [
    'CREATE INDEX "things_a_idx" ON "things"("a");',
    "require-concurrent-index-creation",
  ],
  "checks every row under a lock": [
    'ALTER TABLE "things" ADD CONSTRAINT "positive" CHECK ("a" > 0);',
    "constraint-missing-not-valid",
  ],
  "is no SQL": ["ALTER TABLE;", "syntax-error"],
};
const FINE = {
  "columns that may be left out": [
    'ALTER TABLE "things" ADD COLUMN "a" TEXT, ADD COLUMN "b" INTEGER NOT NULL DEFAULT 0;',
  ],
  "a new table with its index and key": [
    'CREATE TABLE "new" ("id" INTEGER NOT NULL, "name" TEXT NOT NULL);\n' +
      'CREATE INDEX "new_id_idx" ON "new"("id");\n' +
      'ALTER TABLE "new" ADD CONSTRAINT "new_id_fkey" FOREIGN KEY ("id") REFERENCES ' +
      '"things"("id");',
  ],
  "an index that is dropped": ['DROP INDEX "things_name_idx";'],
  "an index that is built beside running work": [
    '-- lathe: no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "things_a_idx" ON ' +
      '"things"("a");',
  ],
  "what a function does when it is called": [
    `CREATE FUNCTION f() RETURNS trigger
       LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'DROP TYPE x'; END $$;`,
  ],
  "what is named as an exception": [
    "-- Ten rows.\n-- squawk-ignore require-concurrent-index-creation\n" +
      'CREATE INDEX "things_a_idx" ON "things"("a");',
  ],
};

const root = mkdtempSync(join(tmpdir(), "lathe-migrations-"));
/** @type {string[]} */
let faults = [];

/**
 * @param {string} kind
 * @param {string} subject
 */
function nameOf(kind, subject) {
  return `29990101000000_${kind}_${subject.replaceAll(" ", "_")}`;
}

/**
 * @param {string} name
 * @param {string} sql
 */
function writeMigration(name, sql) {
  mkdirSync(join(root, "prisma/migrations", name), { recursive: true });
  writeFileSync(join(root, "prisma/migrations", name, "migration.sql"), sql);
}

beforeAll(() => {
  for (const [kind, cases] of Object.entries({ CONTRACTING, LOCKING, FINE }))
    for (const [subject, [sql = ""]] of Object.entries(cases)) {
      writeMigration(nameOf(kind, subject), sql);
      writeMigration(nameOf(`${kind}_SAID`, subject), `-- contract: nothing reads it.\n${sql}`);
    }
  writeMigration("20200101000000_before", 'DROP TABLE "things";');
  faults = migrationFaults(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** @param {string} name */
function faultsOf(name) {
  return faults.filter((fault) => fault.includes(`/${name}/`));
}

for (const [subject, [, rule]] of Object.entries(CONTRACTING)) {
  test(`a migration that ${subject} is refused, unless it says that it is the time for it`, () => {
    expect(faultsOf(nameOf("CONTRACTING", subject))).toEqual([expect.stringContaining(`${rule}`)]);
    expect(faultsOf(nameOf("CONTRACTING_SAID", subject))).toEqual([]);
  });
}

for (const [subject, [, rule]] of Object.entries(LOCKING)) {
  test(`a migration that ${subject} is refused, whatever it says`, () => {
    expect(faultsOf(nameOf("LOCKING", subject))).toEqual([expect.stringContaining(`${rule}`)]);
    expect(faultsOf(nameOf("LOCKING_SAID", subject))).toEqual([expect.stringContaining(`${rule}`)]);
  });
}

for (const subject of Object.keys(FINE)) {
  test(`let pass: ${subject}`, () => {
    expect(faultsOf(nameOf("FINE", subject))).toEqual([]);
  });
}

test("what was there before the rule is not read", () => {
  expect(faultsOf("20200101000000_before")).toEqual([]);
});
