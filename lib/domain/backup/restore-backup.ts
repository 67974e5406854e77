import "server-only";
import { createReadStream } from "node:fs";
import { copyFile, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type pg from "pg";
import { rememberStore, requireStopped } from "@/lib/domain/admin/service-identity";
import { type Backup, backupSchema } from "@/lib/domain/backup/write-backup";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { transaction } from "@/lib/platform/postgres";

const BATCH_CHARACTERS = 4 * 1024 * 1024;

/**
 * Fills an empty service from a backup: files first, then all rows in one transaction, then the keys. When it is broken off, the service is still empty
 * and it may be tried again. The database may be another one than the backup's, and so may the file store.
 * @throws ServiceError CONFLICT when the service has accounts, or is of another version; INVALID_INPUT when the folder holds no whole backup
 */
export async function restoreBackup(path: string): Promise<{ path: string; created_at: string; rows: number; files: number }> {
  const folder = resolve(path);
  const backup = await readBackup(folder);
  await transaction(async (tx) => {
    await tx.query("SET LOCAL statement_timeout = 0");
    await tx.query("SET LOCAL idle_in_transaction_session_timeout = 0");
    await requireEmpty(tx, backup.migration, "A backup is restored into an empty one: set DATA_DIR to a new folder.");
    await requireStopped(tx, "it reads the keys at its start.");
    await restoreFiles(folder, backup);
    await fillDatabase(tx, folder, backup.tables);
    // Its keys are those of the backup; its files lie here now.
    await rememberStore(tx, await fileStore().identity());
    // Last, for it cannot be undone with the rows: without them the old keys do no harm.
    await restoreKeys(folder);
  });
  const rows = backup.tables.reduce((sum, table) => sum + table.rows, 0);
  return { path: folder, created_at: backup.created_at, rows, files: backup.files.length };
}

/** Puts the rows of `folder`/tables into an empty database, as they were. */
export async function fillDatabase(tx: pg.ClientBase, folder: string, tables: Backup["tables"]): Promise<void> {
  // The sums come along; the trigger that adds charges up would count them again.
  await tx.query("SET LOCAL lathe.restoring = 'on'");
  await tx.query("DELETE FROM service_identity");
  for (const table of tables) await restoreTable(tx, folder, table);
  await tx.query(FREE_RUNS);
  for (const { sequence, column, table } of (await tx.query<Sequence>(SEQUENCES)).rows)
    await tx.query(`SELECT setval($1, greatest(1, (SELECT max("${column}") FROM "${table}")))`, [sequence]);
}

interface Sequence {
  sequence: string;
  table: string;
  column: string;
}

/** What a process drove that is no more; the next start finds it. */
const FREE_RUNS = "UPDATE engine_runs SET owner = NULL WHERE owner IS NOT NULL";

const SEQUENCES = `
SELECT pg_get_serial_sequence(quote_ident(table_name), column_name) AS sequence, table_name AS "table", column_name AS "column"
FROM information_schema.columns WHERE table_schema = 'public' AND pg_get_serial_sequence(quote_ident(table_name), column_name) IS NOT NULL`;

async function readBackup(folder: string): Promise<Backup> {
  const path = join(folder, "backup.json");
  try {
    return backupSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    throw new ServiceError("INVALID_INPUT", `${folder} holds no whole backup: ${path} is missing or damaged. Nothing was changed.`);
  }
}

/** @throws ServiceError CONFLICT for a database with accounts, or of another version than `migration` is the newest of */
export async function requireEmpty(tx: pg.ClientBase, migration: string, advice: string): Promise<void> {
  const { rows } = await tx.query<{ accounts: boolean; migration: string }>(
    `SELECT EXISTS (SELECT 1 FROM accounts) AS accounts,
       (SELECT max(migration_name) FROM _prisma_migrations WHERE rolled_back_at IS NULL) AS migration`,
  );
  const [found] = rows;
  if (found?.accounts) throw new ServiceError("CONFLICT", `This service has accounts. ${advice}`);
  if (found?.migration !== migration)
    throw new ServiceError(
      "CONFLICT",
      `The backup is of the version with migration ${migration}, this one has ${found?.migration}. Restore it with that version; a newer one then brings it up to date at its start.`,
    );
}

/** Bytes under their old keys. What a try before this one left is written anew. @throws ServiceError INVALID_INPUT when a file is not what it was */
async function restoreFiles(folder: string, backup: Backup): Promise<void> {
  for (const [index, file] of backup.files.entries()) {
    await fileStore().delete(file.key);
    const stored = await fileStore().put(file.key, createReadStream(join(folder, "files", String(index))), { maxBytes: file.size_bytes });
    if (stored.sha256 !== file.sha256 || stored.sizeBytes !== file.size_bytes)
      throw new ServiceError("INVALID_INPUT", `files/${index} of the backup is not the file that was saved. Nothing was changed.`);
  }
}

async function restoreTable(tx: pg.ClientBase, folder: string, table: Backup["tables"][number]): Promise<void> {
  let restored = 0;
  for await (const lines of batchesOf(join(folder, "tables", `${table.name}.ndjson`))) {
    const columns = table.columns.map((column) => `"${column}"`).join(", ");
    const { rowCount } = await tx.query(
      `INSERT INTO "${table.name}" (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::"${table.name}", $1::json)`,
      [`[${lines.join(",")}]`],
    );
    restored += rowCount ?? 0;
  }
  if (restored !== table.rows)
    throw new ServiceError(
      "INVALID_INPUT",
      `${table.name}.ndjson of the backup has ${restored} rows, not ${table.rows}. Nothing was changed.`,
    );
}

/** The lines of a file, some MiB at a time. (Node's own reader of lines takes U+2028 for the end of one.) */
async function* batchesOf(path: string): AsyncGenerator<string[]> {
  let rest = "";
  let lines: string[] = [];
  let characters = 0;
  for await (const chunk of createReadStream(path, "utf8") as AsyncIterable<string>) {
    // strings, by its encoding
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    characters += chunk.length;
    if (characters < BATCH_CHARACTERS || lines.length === 0) continue;
    yield lines;
    lines = [];
    characters = 0;
  }
  if (rest !== "") lines.push(rest);
  if (lines.length > 0) yield lines;
}

/** The backup's keys in place of the ones that this start has made. Keys of the environment stay with whoever gives them. */
async function restoreKeys(folder: string): Promise<void> {
  const source = join(folder, "secrets.json");
  const there = await stat(source).catch(() => null);
  if (there) await copyFile(source, join(resolve(env().DATA_DIR), "secrets.json"));
}
