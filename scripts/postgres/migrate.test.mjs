import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { BACKUP_LOCK_KEY } from "../../lib/platform/backup-lock.mjs";
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

const history = async () =>
  (
    await client.query(
      "SELECT migration_name, applied_steps_count FROM _prisma_migrations ORDER BY 1",
    )
  ).rows;

test("starts at the same time apply each migration once, and the queue's tables are there", {
  timeout: LIMIT_MS,
}, async () => {
  await Promise.all(Array.from({ length: 4 }, () => migrate(postgres.url, { root })));
  expect(await history()).toEqual([
    { migration_name: "20260101000000_one", applied_steps_count: 1 },
  ]);
});

test("a migration that fails leaves nothing behind, and the corrected one is applied", {
  timeout: LIMIT_MS,
}, async () => {
  plant(
    "prisma/migrations/20260102000000_two/migration.sql",
    "CREATE TABLE half (x int); SELECT broken;",
  );
  await expect(migrate(postgres.url, { root })).rejects.toThrow(/20260102000000_two failed/);
  expect((await client.query("SELECT to_regclass('half') AS found")).rows).toEqual([
    { found: null },
  ]);
  plant("prisma/migrations/20260102000000_two/migration.sql", "CREATE TABLE half (x int);");
  await migrate(postgres.url, { root });
  expect((await history()).map((row) => row.migration_name)).toEqual([
    "20260101000000_one",
    "20260102000000_two",
  ]);
});

test("the next migration is the difference to the schema files, and none when there is none", {
  timeout: LIMIT_MS,
}, async () => {
  const migration = {
    name: "20260101000000_one",
    sql: `CREATE TABLE "things" ("id" INTEGER NOT NULL,
            CONSTRAINT "things_pkey" PRIMARY KEY ("id"));`,
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
  plant(
    "schema/things.prisma",
    'model Thing {\n  id Int @id\n  name String?\n  @@map("things")\n}\n',
  );
  expect(await ask()).toMatch(/ALTER TABLE "things" ADD COLUMN\s+"name" TEXT;/);
});

test("the project's own migrations lead to its schema, and nothing is left to migrate", {
  timeout: LIMIT_MS,
}, async () => {
  const project = fileURLToPath(new URL("../..", import.meta.url));
  const difference = await schemaDifference({
    databaseUrl: postgres.url,
    schemaFolder: join(project, "prisma/schema"),
    migrations: migrationFolders(project),
    migrationsFolder: join(project, "prisma/migrations"),
  });
  expect(difference, "npm run db:migration -- NAME writes what is missing").toBe("");
});

test("a database that a newer version has migrated is refused by name, and nothing is changed", {
  timeout: LIMIT_MS,
}, async () => {
  plant(
    "prisma/migrations/20270101000000_later/migration.sql",
    'CREATE TABLE "later" ("id" INTEGER NOT NULL);',
  );
  await migrate(postgres.url, { root });
  rmSync(join(root, "prisma/migrations/20270101000000_later"), { recursive: true });
  plant(
    "prisma/migrations/20260601000000_two/migration.sql",
    'CREATE TABLE "two" ("id" INTEGER NOT NULL);',
  );
  await expect(migrate(postgres.url, { root })).rejects.toThrow(
    /newer version of Lathe has migrated this database \(20270101000000_later\)/,
  );
  expect((await client.query("SELECT to_regclass('two') AS found")).rows).toEqual([
    { found: null },
  ]);
});

/** @type {pg.Client[]} */
const holders = [];
afterEach(async () => {
  for (const other of holders.splice(0)) await other.end().catch(() => {});
});

const ALTERS = "ALTER TABLE things ADD COLUMN name TEXT;";

/**
 * Another session, in a transaction that holds the table `things`.
 * @param {string} [before] what it does besides
 */
async function holder(before = "") {
  const other = new pg.Client({
    connectionString: postgres.url,
    application_name: "a long report",
  });
  await other.connect();
  await other.query(`BEGIN; ${before}`);
  await other.query("LOCK TABLE things IN ACCESS SHARE MODE");
  holders.push(other);
  const { rows } = await other.query("SELECT pg_backend_pid() AS pid");
  return { pid: Number(rows[0].pid), end: () => other.end() };
}

/** How long a statement of the running service takes. */
async function readMs() {
  const begun = performance.now();
  await client.query("SELECT count(*) FROM things");
  return performance.now() - begun;
}

test("a migration that waits for a lock holds nobody up behind it, and goes on once it is free", {
  timeout: LIMIT_MS,
}, async () => {
  await migrate(postgres.url, { root });
  plant("prisma/migrations/20260102000000_two/migration.sql", ALTERS);
  const other = await holder();
  const migrated = migrate(postgres.url, { root });
  const waits = [];
  for (const end = performance.now() + 5_000; performance.now() < end; ) {
    waits.push(await readMs());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(Math.max(...waits)).toBeLessThan(4_000);
  // Behind the migration somebody did wait, for as long as it waits itself at most.
  expect(Math.max(...waits)).toBeGreaterThan(500);
  expect(waits.length).toBeGreaterThan(10);
  await other.end();
  await migrated;
  expect((await history()).map((row) => row.migration_name)).toEqual([
    "20260101000000_one",
    "20260102000000_two",
  ]);
});

test("a lock that is never free ends a migration with one sentence that names who holds it", {
  timeout: LIMIT_MS,
}, async () => {
  await migrate(postgres.url, { root });
  plant(
    "prisma/migrations/20260102000000_two/migration.sql",
    `CREATE TABLE half (x int); ${ALTERS}`,
  );
  const other = await holder();
  const refused = migrate(postgres.url, { root, patienceMs: 3_000 });
  await expect(refused).rejects.toThrow(
    new RegExp(
      `^Migration 20260102000000_two .*process ${other.pid} of user \\S+ \\("a long report"\\), ` +
        ".* since \\S+",
    ),
  );
  expect((await client.query("SELECT to_regclass('half') AS found")).rows).toEqual([
    { found: null },
  ]);
  await other.end();
});

test("where a backup holds the lock, the sentence says that it is one", {
  timeout: LIMIT_MS,
}, async () => {
  await migrate(postgres.url, { root });
  plant("prisma/migrations/20260102000000_two/migration.sql", ALTERS);
  const other = await holder(`SELECT pg_advisory_xact_lock_shared(${BACKUP_LOCK_KEY})`);
  await expect(migrate(postgres.url, { root, patienceMs: 1_000 })).rejects.toThrow(
    /a backup is under way \(process \d+/,
  );
  await other.end();
});

const CONCURRENT =
  "-- lathe: no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS things_name_idx ON things " +
  "(id);";
const isValid = async () =>
  (
    await client.query(
      "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('things_name_idx')",
    )
  ).rows;

test("a migration that says so runs outside of a transaction, once, however many start", {
  timeout: LIMIT_MS,
}, async () => {
  plant("prisma/migrations/20260102000000_two/migration.sql", CONCURRENT);
  await Promise.all(Array.from({ length: 4 }, () => migrate(postgres.url, { root })));
  expect(await isValid()).toEqual([{ valid: true }]);
  expect((await history()).map((row) => row.migration_name)).toEqual([
    "20260101000000_one",
    "20260102000000_two",
  ]);
});

test("one that was broken off begins again, without what it left", {
  timeout: LIMIT_MS,
}, async () => {
  await migrate(postgres.url, { root });
  plant("prisma/migrations/20260102000000_two/migration.sql", CONCURRENT);
  const other = await holder("LOCK TABLE things IN ROW EXCLUSIVE MODE");
  await expect(migrate(postgres.url, { root, patienceMs: 1_500 })).rejects.toThrow(
    new RegExp(`process ${other.pid} `),
  );
  expect(await isValid()).toEqual([{ valid: false }]);
  expect((await history()).map((row) => row.migration_name)).toEqual(["20260101000000_one"]);
  await other.end();
  await migrate(postgres.url, { root });
  expect(await isValid()).toEqual([{ valid: true }]);
  expect(await history()).toHaveLength(2);
});

test("work in batches commits each of them", { timeout: LIMIT_MS }, async () => {
  await migrate(postgres.url, { root });
  await client.query("INSERT INTO things SELECT generate_series(1, 10)");
  plant(
    "prisma/migrations/20260102000000_two/migration.sql",
    `-- lathe: no transaction
DO $$ BEGIN
  FOR batch IN 0..4 LOOP
    DELETE FROM things WHERE id IN (SELECT id FROM things ORDER BY id LIMIT 2);
    COMMIT;
    IF batch = 3 THEN RAISE EXCEPTION 'cut off'; END IF;
  END LOOP;
END $$;`,
  );
  await expect(migrate(postgres.url, { root })).rejects.toThrow(
    /20260102000000_two failed half-way/,
  );
  expect((await client.query("SELECT count(*)::int AS left FROM things")).rows).toEqual([
    { left: 2 },
  ]);
});
