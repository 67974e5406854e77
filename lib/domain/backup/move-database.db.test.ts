import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkInvariants } from "@/lib/domain/admin/check-invariants";
import { moveDatabase } from "@/lib/domain/backup/move-database";
import { LEFT_OUT } from "@/lib/domain/backup/write-backup";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertEndedRun } from "@/lib/domain/test/insert-ended-run";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";
import { createTestDatabase } from "@/lib/storage/test-database";

let database: DomainDatabase;
let owner: Principal;
let target: Awaited<ReturnType<typeof createTestDatabase>>;
let other: pg.Client;

beforeAll(async () => {
  const files = createDiskFileStore(mkdtempSync(join(tmpdir(), "lathe-move-files-")));
  database = await openDomainDatabase({ files });
  target = await createTestDatabase();
  other = new pg.Client({ connectionString: target.url });
  await other.connect();
  owner = await database.account();
  await insertEndedRun(owner, new Date());
  await database.pool.query(
    `INSERT INTO service_identity (key_id, key_fingerprint, file_store)
     VALUES ('k', 'f', 'disk:x')`,
  );
});
afterAll(async () => {
  await other.end();
  await target.drop();
  await database.close();
});

async function dump(on: Pick<pg.Client, "query"> | pg.Pool): Promise<Record<string, string[]>> {
  const { rows: tables } = await on.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND relkind = 'r' AND relname <> ALL($1) ORDER BY 1`,
    [LEFT_OUT.filter((name) => name !== "row_counts")],
  );
  const all: Record<string, string[]> = {};
  for (const { name } of tables)
    all[name] = (
      await on.query<{ line: string }>(
        `SELECT row_to_json(t)::text AS line FROM "${name}" t ORDER BY 1`,
      )
    ).rows.map(({ line }) => line);
  return all;
}

test("a service that runs is not moved, nor into a database that has accounts", async () => {
  const living = await database.pool.connect();
  const { rows } = await living.query("INSERT INTO engine_processes DEFAULT VALUES RETURNING id");
  await living.query("SELECT pg_advisory_lock($1, $2)", [0x1a7e, rows[0].id]);
  await expect(moveDatabase(target.url, async () => {})).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("Stop it first"),
  });
  await living.query("SELECT pg_advisory_unlock_all()");
  living.release();
  await other.query("INSERT INTO accounts (id, name) VALUES (gen_random_uuid(), 'theirs')");
  await expect(moveDatabase(target.url, async () => {})).rejects.toThrow(
    "has accounts. Give the address of an empty database.",
  );
  await other.query("DELETE FROM accounts");
  expect((await other.query("SELECT 1 FROM runs")).rowCount).toBe(0);
});

test("every row is in the other database as it was, counted, its books agreeing", async () => {
  const before = await dump(database.pool);
  const migrated: string[] = [];
  const moved = await moveDatabase(target.url, async (url) => void migrated.push(url));
  expect(migrated).toEqual([target.url]);
  expect(moved.rows).toBeGreaterThan(15);
  expect(await dump(other)).toEqual(before);
  expect(await dump(database.pool)).toEqual(before);
  const here = database.pool.options.connectionString;
  // The check of the books as a process of the other database makes it.
  database.pool.options.connectionString = target.url;
  expect(await checkInvariants(0)).toEqual({ ok: true });
  database.pool.options.connectionString = here;
});
