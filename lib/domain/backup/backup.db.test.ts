import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { restoreBackup } from "@/lib/domain/backup/restore-backup";
import { LEFT_OUT, writeBackup } from "@/lib/domain/backup/write-backup";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";

// Read when the environment is, so before any module of ours is loaded.
const { folder } = await vi.hoisted(async () => {
  const { mkdtempSync } = await import("node:fs");
  const { tmpdir } = await import("node:os");
  const folder = mkdtempSync(`${tmpdir()}/backup-data-`);
  process.env.DATA_DIR = folder;
  return { folder };
});

let database: DomainDatabase;
let place: string;
beforeAll(async () => {
  database = await openDomainDatabase();
  place = await mkdtemp(join(tmpdir(), "backup-"));
  await writeFile(join(folder, "secrets.json"), '{"old":"keys"}');
});
afterAll(async () => {
  await database.close();
  await Promise.all([rm(place, { recursive: true, force: true }), rm(folder, { recursive: true, force: true })]);
});

/** Everything that the database holds, as text. */
async function dump(): Promise<Record<string, string[]>> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> ALL($1)",
    [LEFT_OUT],
  );
  const rowsOf = async (name: string) =>
    (await database.pool.query<{ line: string }>(`SELECT row_to_json(t)::text AS line FROM "${name}" t ORDER BY 1`)).rows.map(
      (row) => row.line,
    );
  return Object.fromEntries(await Promise.all(tables.map(async ({ name }) => [name, await rowsOf(name)] as const)));
}

async function storeFile(accountId: string, text: string): Promise<string> {
  const workspaceId = newId();
  const key = `${accountId}/${newId()}`;
  const stored = await fileStore().put(key, new Blob([text]).stream(), { maxBytes: 1_000 });
  await database.pool.query("INSERT INTO workspaces (id, account_id, name, updated_at) VALUES ($1, $2, 'w', now())", [
    workspaceId,
    accountId,
  ]);
  await database.pool.query(
    `INSERT INTO workspace_files (id, account_id, workspace_id, path, size_bytes, content_type, sha256, storage_key, updated_at)
     VALUES ($1, $2, $3, 'a.txt', $4, 'text/plain', $5, $6, now())`,
    [newId(), accountId, workspaceId, stored.sizeBytes, stored.sha256, key],
  );
  return key;
}

async function emptyTheService(): Promise<void> {
  const names = Object.keys(await dump()).filter((name) => name !== "audit_events");
  await database.pool.query(`TRUNCATE ${names.map((name) => `"${name}"`).join(", ")} RESTART IDENTITY CASCADE`);
  // The audit log lets nobody empty it but those who say so in their transaction.
  await database.pool.query("BEGIN; SET LOCAL lathe.audit_removal = 'allowed'; DELETE FROM audit_events; COMMIT");
  await rm(join(folder, "files"), { recursive: true, force: true });
}

test("what was backed up is there again, row for row and byte for byte, whatever characters it holds", async () => {
  const odd = 'line\u2028end \u{1f30d} \\ "quoted" \t\n end';
  const { accountId } = await database.account();
  await database.pool.query("UPDATE accounts SET name = $2 WHERE id = $1", [accountId, odd]);
  const key = await storeFile(accountId, odd);
  const vanished = await storeFile(accountId, "deleted while the backup runs");
  await fileStore().delete(vanished);
  await database.pool.query("INSERT INTO engine_steps (run_id, id, op, name) VALUES ($1, 's', 'o', 'n')", [newId()]);
  const saved = await writeBackup(join(place, "one"));
  expect(saved.files).toBe(1);
  await expect(writeBackup(join(place, "one"))).rejects.toThrow("is not empty");
  await database.pool.query("DELETE FROM workspace_files WHERE storage_key = $1", [vanished]);
  const before = await dump();
  await expect(restoreBackup(join(place, "one"))).rejects.toThrow("has accounts");
  expect(await dump()).toEqual(before);

  await emptyTheService();
  await writeFile(join(folder, "secrets.json"), '{"new":"keys"}');
  expect(await restoreBackup(join(place, "one"))).toMatchObject({ rows: saved.rows, files: 1 });
  expect(await dump()).toEqual(before);
  expect(await new Response(await fileStore().read(key)).text()).toBe(odd);
  expect(await readFile(join(folder, "secrets.json"), "utf8")).toBe('{"old":"keys"}');
  const { rows } = await database.pool.query(
    "INSERT INTO engine_steps (run_id, id, op, name) VALUES ($1, 's', 'o', 'n') RETURNING position",
    [newId()],
  );
  expect(Number(rows[0].position)).toBeGreaterThan(1);
});

test("a backup that is not whole, or not what was saved, changes nothing", async () => {
  await emptyTheService();
  await storeFile((await database.account()).accountId, "x");
  await writeBackup(join(place, "two"));
  await emptyTheService();
  await expect(restoreBackup(place)).rejects.toThrow("no whole backup");
  const table = join(place, "two", "tables", "accounts.ndjson");
  const text = await readFile(table, "utf8");
  await writeFile(table, "");
  await expect(restoreBackup(join(place, "two"))).rejects.toThrow("0 rows, not 1");
  await writeFile(table, text);
  await writeFile(join(place, "two", "files", "0"), "y");
  await expect(restoreBackup(join(place, "two"))).rejects.toThrow("is not the file that was saved");
  expect((await database.pool.query("SELECT 1 FROM accounts")).rowCount).toBe(0);
  const manifest = join(place, "two", "backup.json");
  await writeFile(manifest, (await readFile(manifest, "utf8")).replace(/"migration": "\d/, '"migration": "9'));
  await expect(restoreBackup(join(place, "two"))).rejects.toThrow("Restore it with that version");
});
