import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { printTo } from "../setup/progress.mjs";
import { startDisposablePostgres } from "./embedded-postgres.mjs";
import { migrate, migrationFolders } from "./migrate.mjs";
import { schemaDifference } from "./schema-engine.mjs";

const LIMIT_MS = 60_000;
/** @type {Awaited<ReturnType<typeof startDisposablePostgres>>} */
let postgres;
let root = "";
/** @type {pg.Client} */
let client;

beforeAll(async () => {
  printTo(new Writable({ write: (_chunk, _encoding, done) => done() }));
  postgres = await startDisposablePostgres();
}, LIMIT_MS);
afterAll(async () => {
  await postgres.stop();
  printTo(process.stdout);
});

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "migrate-"));
  plant(
    "prisma/migrations/20260101000000_one/migration.sql",
    'CREATE TABLE "things" ("id" INTEGER NOT NULL, CONSTRAINT "things_pkey" PRIMARY KEY ("id"));',
  );
  client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
});
afterEach(async () => {
  await client.end();
  rmSync(root, { recursive: true, force: true });
});

/**
 * @param {string} path
 * @param {string} text
 */
function plant(path, text) {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
}

const history = async () => (await client.query("SELECT migration_name, applied_steps_count FROM _prisma_migrations ORDER BY 1")).rows;

test("starts at the same time apply each migration once, and the queue's tables are there", { timeout: LIMIT_MS }, async () => {
  await Promise.all(Array.from({ length: 4 }, () => migrate(postgres.url, { root })));
  expect(await history()).toEqual([{ migration_name: "20260101000000_one", applied_steps_count: 1 }]);
});

test("a migration that fails leaves nothing behind, and the corrected one is applied", { timeout: LIMIT_MS }, async () => {
  plant("prisma/migrations/20260102000000_two/migration.sql", "CREATE TABLE half (x int); SELECT broken;");
  await expect(migrate(postgres.url, { root })).rejects.toThrow(/20260102000000_two failed/);
  expect((await client.query("SELECT to_regclass('half') AS found")).rows).toEqual([{ found: null }]);
  plant("prisma/migrations/20260102000000_two/migration.sql", "CREATE TABLE half (x int);");
  await migrate(postgres.url, { root });
  expect((await history()).map((row) => row.migration_name)).toEqual(["20260101000000_one", "20260102000000_two"]);
});

test("the next migration is the difference to the schema files, and none when there is none", { timeout: LIMIT_MS }, async () => {
  const migration = {
    name: "20260101000000_one",
    sql: 'CREATE TABLE "things" ("id" INTEGER NOT NULL, CONSTRAINT "things_pkey" PRIMARY KEY ("id"));',
    checksum: "",
  };
  const ask = () =>
    schemaDifference({
      databaseUrl: postgres.url,
      schemaFolder: join(root, "schema"),
      migrations: [migration],
      migrationsFolder: join(root, "prisma/migrations"),
    });
  plant("schema/base.prisma", 'datasource db {\n  provider = "postgresql"\n}\n');
  plant("schema/things.prisma", 'model Thing {\n  id Int @id\n  @@map("things")\n}\n');
  expect(await ask()).toBe("");
  plant("schema/things.prisma", 'model Thing {\n  id Int @id\n  name String?\n  @@map("things")\n}\n');
  expect(await ask()).toMatch(/ALTER TABLE "things" ADD COLUMN\s+"name" TEXT;/);
});

test("the project's own migrations lead to its schema, and nothing is left to migrate", { timeout: LIMIT_MS }, async () => {
  const project = fileURLToPath(new URL("../..", import.meta.url));
  const difference = await schemaDifference({
    databaseUrl: postgres.url,
    schemaFolder: join(project, "prisma/schema"),
    migrations: migrationFolders(project),
    migrationsFolder: join(project, "prisma/migrations"),
  });
  expect(difference, "npm run db:migration -- NAME writes what is missing").toBe("");
});

test("a database that a newer version has migrated is refused by name, and nothing is changed", { timeout: LIMIT_MS }, async () => {
  plant("prisma/migrations/20270101000000_later/migration.sql", 'CREATE TABLE "later" ("id" INTEGER NOT NULL);');
  await migrate(postgres.url, { root });
  rmSync(join(root, "prisma/migrations/20270101000000_later"), { recursive: true });
  plant("prisma/migrations/20260601000000_two/migration.sql", 'CREATE TABLE "two" ("id" INTEGER NOT NULL);');
  await expect(migrate(postgres.url, { root })).rejects.toThrow(
    /newer version of Lathe has migrated this database \(20270101000000_later\)/,
  );
  expect((await client.query("SELECT to_regclass('two') AS found")).rows).toEqual([{ found: null }]);
});
