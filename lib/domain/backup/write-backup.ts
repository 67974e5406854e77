import "server-only";
import { createWriteStream } from "node:fs";
import { copyFile, mkdir, open, readdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type pg from "pg";
import { z } from "zod";
import { FILE_TABLES } from "@/lib/domain/blobs/blob-audit";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";
import { FileMissing } from "@/lib/storage/files/file-store";

/**
 * A backup is a folder: `backup.json` (this), `tables/<name>.ndjson` with a JSON object for each row, `files/<n>` with the bytes of the nth file, and
 * `secrets.json` where the keys lie in the data folder. `backup.json` is written last: a folder without it is a backup that was broken off.
 */
export const backupSchema = z.object({
  format: z.literal(1),
  created_at: z.string(),
  /** The newest migration of the database: it is restored into a database of the same one. */
  migration: z.string(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int() })),
  /** The keys of the file store, in the order of the numbers in `files/`. */
  files: z.array(z.object({ key: z.string(), size_bytes: z.number().int(), sha256: z.string() })),
});

export type Backup = z.infer<typeof backupSchema>;

/**
 * What a restored service makes anew: limits of the current minute, uploads under way, the processes that ran, and the counts of rows, which triggers
 * keep as the rows come in.
 */
export const LEFT_OUT = ["_prisma_migrations", "minute_buckets", "uploads", "engine_processes", "engine_limits", "row_counts"];

const FETCH_ROWS = 500;

/**
 * Writes a backup of the database, the files and the keys into the folder `path`, which must be empty or not there. The service may go on meanwhile: all
 * rows are of one moment, and a file that is deleted while it is copied leaves the backup with its row.
 * @throws ServiceError CONFLICT when the folder holds something
 */
export async function writeBackup(path: string): Promise<{ path: string; created_at: string; rows: number; files: number; bytes: number }> {
  const folder = resolve(path);
  await makeEmpty(folder);
  const client = await postgres().connect();
  try {
    // Statements of a large table may well take longer than those of a request.
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query("SET LOCAL statement_timeout = 0");
    await client.query("SET LOCAL idle_in_transaction_session_timeout = 0");
    const moment = await readMoment(client);
    const gone = new Set<string>();
    const files = await copyFiles(client, folder, gone);
    const tables = await copyTables(client, folder, gone);
    await client.query("COMMIT");
    await copyKeys(folder);
    const backup: Backup = { format: 1, created_at: moment.at.toISOString(), migration: moment.migration, tables, files };
    await writeDurably(join(folder, "backup.json"), `${JSON.stringify(backup, null, 2)}\n`);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const bytes = files.reduce((sum, file) => sum + file.size_bytes, 0);
    return { path: folder, created_at: backup.created_at, rows, files: files.length, bytes };
  } finally {
    // Broken off or not: nothing that this transaction read is to be kept open.
    await client.query("ROLLBACK").catch(() => {});
    client.release();
  }
}

const MOMENT = `
SELECT now() AS at, (SELECT max(migration_name) FROM _prisma_migrations WHERE rolled_back_at IS NULL) AS migration`;

/** What the transaction sees: its time, and the newest migration. */
export async function readMoment(client: pg.PoolClient): Promise<{ at: Date; migration: string }> {
  const [moment] = (await client.query<{ at: Date; migration: string }>(MOMENT)).rows;
  if (!moment) throw new Error("The database has no migration.");
  return moment;
}

async function makeEmpty(folder: string): Promise<void> {
  await mkdir(join(folder), { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new ServiceError("CONFLICT", `${folder} is not empty. Give the name of a folder that is to be made.`);
  await mkdir(join(folder, "files"), { mode: 0o700 });
}

/** Copies the bytes of every file that the rows of this moment name; a key whose bytes are gone by now goes into `gone`. */
async function copyFiles(client: pg.PoolClient, folder: string, gone: Set<string>): Promise<Backup["files"]> {
  const files: Backup["files"] = [];
  for (const table of FILE_TABLES) {
    const columns = "storage_key AS key, size_bytes::float8 AS size_bytes, sha256";
    for await (const row of rowsOf<Backup["files"][number]>(client, `SELECT ${columns} FROM ${table} ORDER BY storage_key`)) {
      if (await copyBytes(row.key, join(folder, "files", String(files.length)))) files.push(row);
      else gone.add(row.key);
    }
  }
  return files;
}

async function copyBytes(key: string, target: string): Promise<boolean> {
  try {
    const bytes = await fileStore().read(key);
    await pipeline(Readable.fromWeb(bytes as NodeReadableStream<Uint8Array>), createWriteStream(target, { mode: 0o600, flush: true }));
    return true;
  } catch (error) {
    if (error instanceof FileMissing) return false;
    throw error;
  }
}

/** Writes every table into `folder`/tables, without the rows whose files are `gone`. */
export async function copyTables(client: pg.PoolClient, folder: string, gone: Set<string>): Promise<Backup["tables"]> {
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(TABLES, [LEFT_OUT]);
  const copied: Backup["tables"] = [];
  await mkdir(join(folder, "tables"), { mode: 0o700 });
  for (const { name, columns } of tables) {
    let rows = 0;
    const lines = async function* () {
      const text = `SELECT row_to_json(t)::text AS line${FILE_TABLES.some((table) => table === name) ? ", t.storage_key AS key" : ""} FROM "${name}" t`;
      for await (const { line, key } of rowsOf<{ line: string; key?: string }>(client, text)) {
        if (key !== undefined && gone.has(key)) continue;
        rows += 1;
        yield `${line}\n`;
      }
    };
    await pipeline(lines, createWriteStream(join(folder, "tables", `${name}.ndjson`), { mode: 0o600, flush: true }));
    copied.push({ name, columns, rows });
  }
  return copied;
}

/** Every table of the service with its columns, those that others refer to first; accounts before all, since counting a row names its account. */
const TABLES = `
WITH RECURSIVE tables AS (
  SELECT c.oid, c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL($1)
), depth AS (
  SELECT oid, 0 AS level FROM tables
  UNION SELECT f.conrelid, depth.level + 1 FROM depth JOIN pg_constraint f ON f.confrelid = depth.oid AND f.contype = 'f' AND f.conrelid <> f.confrelid
  WHERE depth.level < 20
)
SELECT name, (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
  WHERE attrelid = tables.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
FROM tables JOIN (SELECT oid, max(level) AS level FROM depth GROUP BY oid) placed USING (oid) ORDER BY level, name <> 'accounts', name`;

/** The rows of a query, some at a time: a table of millions never lies in memory as a whole. */
async function* rowsOf<Row extends pg.QueryResultRow>(client: pg.PoolClient, text: string): AsyncGenerator<Row> {
  await client.query(`DECLARE backup NO SCROLL CURSOR FOR ${text}`);
  try {
    for (;;) {
      const { rows } = await client.query<Row>(`FETCH ${FETCH_ROWS} FROM backup`);
      if (rows.length === 0) return;
      yield* rows;
    }
  } finally {
    await client.query("CLOSE backup").catch(() => {});
  }
}

/** Without the keys nobody opens the secrets. Where they come by the environment, they are kept by whoever keeps that. */
async function copyKeys(folder: string): Promise<void> {
  const target = join(folder, "secrets.json");
  await copyFile(join(resolve(env().DATA_DIR), "secrets.json"), target).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    await rm(target, { force: true });
  });
}

async function writeDurably(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flag: "wx" });
  const handle = await open(path);
  await handle.sync();
  await handle.close();
}
