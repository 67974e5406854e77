import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { printTo } from "../setup/progress.mjs";
import { startDisposablePostgres } from "./embedded-postgres.mjs";
import { migrate, migrationFolders } from "./migrate.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

let url = "";
let stop = async () => {};
beforeAll(async () => {
  printTo(process.stderr);
  const folder = mkdtempSync(join(tmpdir(), "prisma-commands-"));
  const postgres = await startDisposablePostgres();
  url = postgres.url;
  stop = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
});
afterAll(() => stop());

/** @param {string} databaseUrl @param {string[]} args */
async function prisma(databaseUrl, ...args) {
  const { PRISMA_SCHEMA_ENGINE_BINARY: _, ...environment } = process.env;
  // No network is asked for an engine: were one to be downloaded, the address below would refuse
  // it.
  const env = {
    ...environment,
    DATABASE_URL: databaseUrl,
    PRISMA_ENGINES_MIRROR: "http://127.0.0.1:9",
    CHECKPOINT_DISABLE: "1",
  };
  const command = join(ROOT, "node_modules/prisma/build/index.js");
  const run = promisify(execFile)(process.execPath, [command, ...args], { cwd: ROOT, env });
  const { stdout, stderr, code } = await run
    .then((out) => ({ ...out, code: 0 }))
    .catch((error) => error);
  return { output: `${stdout}${stderr}`, code };
}

/** @param {string} database */
async function inDatabase(database) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${database}`).finally(() => client.end());
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
}

test("prisma migrate status names what is missing, deploy applies it, offline", async () => {
  const database = await inDatabase("by_prisma");
  const names = migrationFolders(ROOT).map(({ name }) => name);
  const before = await prisma(database, "migrate", "status");
  expect(before.code).toBe(1);
  expect(before.output).toContain(names.at(-1));
  const deployed = await prisma(database, "migrate", "deploy");
  expect(deployed).toMatchObject({
    code: 0,
    output: expect.stringContaining("All migrations have been successfully applied"),
  });
  expect(await prisma(database, "migrate", "status")).toMatchObject({
    code: 0,
    output: expect.stringContaining("up to date"),
  });
  await migrate(database, { root: ROOT });
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client
    .query("SELECT migration_name, checksum FROM _prisma_migrations ORDER BY 1")
    .finally(() => client.end());
  expect(rows).toEqual(
    migrationFolders(ROOT).map(({ name, checksum }) => ({ migration_name: name, checksum })),
  );
});

test("a migrated database is up to date for prisma, and a half-done one is resolved", async () => {
  const database = await inDatabase("by_start");
  await migrate(database, { root: ROOT });
  expect(await prisma(database, "migrate", "status")).toMatchObject({ code: 0 });
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query(
    `UPDATE _prisma_migrations SET finished_at = NULL
     WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)
     RETURNING migration_name AS name`,
  );
  await client.end();
  await expect(migrate(database, { root: ROOT })).rejects.toThrow(/prisma migrate resolve/);
  expect(await prisma(database, "migrate", "resolve", "--applied", rows[0].name)).toMatchObject({
    code: 0,
  });
  await migrate(database, { root: ROOT });
});

test("prisma says that a server cannot be reached, and validates without a database", async () => {
  const away = await prisma("postgresql://nobody@127.0.0.1:9/lathe", "migrate", "deploy");
  expect(away).toMatchObject({ code: 1, output: expect.stringContaining("P1001") });
  expect(await prisma("", "validate")).toMatchObject({ code: 0 });
});
