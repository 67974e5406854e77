import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RUN_STATUSES, statusesBefore } from "@/lib/model/run/run-status";
import { callSql } from "@/lib/platform/call-sql";
import { SQL_CALLS } from "@/lib/platform/sql-functions";
import { createTestDatabase } from "@/lib/storage/test-database";
import { generateCalls } from "@/scripts/postgres/sql-calls.mjs";
import { dumpSchema } from "@/scripts/postgres/sql-dump.mjs";
import { functionFiles, sourceDifference, typeFiles } from "@/scripts/postgres/sql-source.mjs";

const ROOT = join(import.meta.dirname, "../..");
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

const written = (file: string) => readFileSync(join(ROOT, file), "utf8");

test("the migrations lead to prisma/functions and prisma/types (else: db:migration)", async () => {
  const { changed, gone, faults } = await sourceDifference(client, ROOT);
  expect({ changed: changed.map(({ path }) => path), gone, faults }).toEqual({
    changed: [],
    gone: [],
    faults: [],
  });
});

test("no line of them is wider than 100 characters", () => {
  const wide = [...typeFiles(ROOT), ...functionFiles(ROOT)].flatMap(({ path, sql }) =>
    sql.split("\n").flatMap((line, index) => (line.length > 100 ? [`${path}:${index + 1}`] : [])),
  );
  expect(wide).toEqual([]);
});

test("a file unlike the database is found, as are functions without files", async () => {
  await client.query("BEGIN");
  try {
    await client.query(
      "CREATE FUNCTION stray(p integer) RETURNS integer LANGUAGE sql AS 'SELECT 1'",
    );
    await client.query(
      "CREATE OR REPLACE FUNCTION release_hold(p_run uuid) RETURNS void LANGUAGE sql AS ''",
    );
    await client.query("COMMIT");
    const { changed, gone, faults } = await sourceDifference(client, ROOT);
    expect(changed.map(({ path }) => path)).toEqual(["prisma/functions/release_hold.sql"]);
    expect({ gone, faults }).toEqual({ gone: ["DROP FUNCTION stray(integer);"], faults: [] });
  } finally {
    await client.query("DROP FUNCTION IF EXISTS stray(integer)");
    await client.query(written("prisma/functions/release_hold.sql"));
  }
});

test("prisma/schema.sql is the migrated database (else: npm run db:schema)", async () => {
  expect(await dumpSchema(client)).toBe(written("prisma/schema.sql"));
});

test("types by which code calls functions are the catalogue's (else: db:schema)", async () => {
  expect(await generateCalls(client, ROOT)).toBe(written("lib/platform/sql-functions.ts"));
});

test("each call of a function is a statement that the database takes", async () => {
  for (const [name, { text, values }] of Object.entries(SQL_CALLS)) {
    await client.query(`PREPARE call AS ${text}`);
    const { rows } = await client.query(
      `SELECT cardinality(parameter_types) AS parameters FROM pg_prepared_statements
       WHERE name = 'call'`,
    );
    expect([name, rows[0].parameters]).toEqual([name, values.length]);
    await client.query("DEALLOCATE call");
  }
});

test("a misspelt argument, one that is left out and one of another type do not compile", () => {
  const room = { run: "r", account: "a", max: 1n, root: null };
  const { max: _, ...unlimited } = room;
  const calls = [
    // @ts-expect-error there is no argument of this name
    () => callSql(client, "run_room", { ...unlimited, maximum: 1n }),
    // @ts-expect-error without a limit is said, not left out
    () => callSql(client, "run_room", unlimited),
    // @ts-expect-error whole millionths, not a number that may be rounded
    () => callSql(client, "run_room", { ...room, max: 1 }),
    // @ts-expect-error a run is always named
    () => callSql(client, "run_room", { ...room, run: null }),
  ];
  expect(calls).toHaveLength(4);
});

test("the database moves a run by the same table as the code", async () => {
  for (const status of RUN_STATUSES) {
    const [row] = await callSql(client, "run_statuses_before", { next: status });
    expect([status, row?.value]).toEqual([status, statusesBefore(status)]);
  }
});
