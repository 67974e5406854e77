import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDisposablePostgres } from "./embedded-postgres.mjs";
import { migrate } from "./migrate.mjs";
import { embeddedServiceUrl, grantServiceRole } from "./service-role.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** @type {Awaited<ReturnType<typeof startDisposablePostgres>>} */
let postgres;
/** @type {pg.Client} */
let owner;
/** @type {pg.Client} */
let service;
let serviceUrl = "";

beforeAll(async () => {
  postgres = await startDisposablePostgres();
  await migrate(postgres.url, { root: ROOT });
  owner = await connect(postgres.url);
  serviceUrl = await embeddedServiceUrl(postgres.url);
  service = await connect(serviceUrl);
});
afterAll(async () => {
  await Promise.all([owner, service].map((client) => client.end()));
  await postgres.stop();
});

/** @param {string} connectionString */
async function connect(connectionString) {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  return client;
}

test("the service's role reads and writes every table's rows, and reads migrations", async () => {
  const { rows: tables } = await owner.query(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND relkind = 'r' AND relname <> '_prisma_migrations'`,
  );
  expect(tables.length).toBeGreaterThan(50);
  for (const { name } of tables)
    for (const privilege of ["SELECT", "INSERT", "UPDATE", "DELETE"]) {
      const { rows } = await service.query("SELECT has_table_privilege($1, $2) AS may", [
        `public.${name}`,
        privilege,
      ]);
      expect([name, privilege, rows[0].may]).toEqual([name, privilege, true]);
    }
  await service.query("INSERT INTO accounts (id, name) VALUES (gen_random_uuid(), 'a')");
  await service.query("SELECT nextval(pg_get_serial_sequence('messages', 'position'))");
  await service.query("LISTEN x; NOTIFY x; UNLISTEN x");
  await service.query("SELECT pg_advisory_lock(1), pg_advisory_unlock(1)");
  await service.query("CREATE TEMP TABLE ready_check ON COMMIT DROP AS SELECT 1 AS one");
  expect((await service.query("SELECT 1 FROM _prisma_migrations")).rowCount).toBeGreaterThan(0);
});

test("nothing is open to a hole in a statement: no schema, file, role, trigger", async () => {
  for (const statement of [
    "CREATE TABLE pwned ()",
    "CREATE FUNCTION pwned() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE SCHEMA pwned",
    "CREATE EXTENSION dblink",
    "DROP TABLE accounts",
    "ALTER TABLE accounts ADD COLUMN pwned int",
    "TRUNCATE accounts",
    "ALTER TABLE audit_events DISABLE TRIGGER ALL",
    "DROP TRIGGER audit_events_rows_stay ON audit_events",
    "SET session_replication_role = replica",
    "DELETE FROM _prisma_migrations",
    "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', '9')",
    "COPY accounts TO '/tmp/pwned'",
    "COPY accounts FROM PROGRAM 'id'",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT lo_import('/etc/passwd')",
    "CREATE ROLE pwned SUPERUSER",
    "ALTER ROLE lathe_service SUPERUSER",
    "ALTER SYSTEM SET log_statement = 'all'",
    "CREATE DATABASE pwned",
    "SET ROLE lathe",
    "SELECT rolpassword FROM pg_authid",
  ])
    await expect(service.query(statement), statement).rejects.toThrow(
      /permission denied|must be owner|not permitted|must be superuser|only roles/i,
    );
});

test("a start with all rights given writes nothing, and later tables come too", async () => {
  const rights = async () =>
    (
      await owner.query(
        `SELECT oid, xmin::text, relacl::text FROM pg_class
         WHERE relnamespace = 'public'::regnamespace`,
      )
    ).rows;
  const before = await rights();
  await Promise.all(Array.from({ length: 4 }, () => embeddedServiceUrl(postgres.url)));
  expect(await rights()).toEqual(before);
  await owner.query("CREATE TABLE later (id bigserial)");
  await expect(service.query("INSERT INTO later DEFAULT VALUES")).rejects.toThrow(
    "permission denied",
  );
  await Promise.all(Array.from({ length: 4 }, () => embeddedServiceUrl(postgres.url)));
  await service.query("INSERT INTO later DEFAULT VALUES");
  await owner.query("DROP TABLE later");
});

test("a role no less than the owner, or that nobody may make, is refused in words", async () => {
  await expect(grantServiceRole(postgres.url, postgres.url)).rejects.toThrow("name the same role");
  await owner.query("CREATE ROLE boss SUPERUSER");
  await expect(grantServiceRole(postgres.url, "postgresql://boss@127.0.0.1/lathe")).rejects.toThrow(
    "is a superuser",
  );
  await expect(
    grantServiceRole(serviceUrl, "postgresql://other:p@127.0.0.1/lathe"),
  ).rejects.toThrow("cannot be made or given its rights");
});

test("what is migrated starts under the service's role; else it says who has to", async () => {
  await migrate(serviceUrl, { root: ROOT });
  await owner.query(
    `UPDATE _prisma_migrations SET rolled_back_at = now()
     WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`,
  );
  await expect(migrate(serviceUrl, { root: ROOT })).rejects.toThrow("DATABASE_OWNER_URL");
});
