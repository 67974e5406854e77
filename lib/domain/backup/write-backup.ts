import "server-only";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import pg from "pg";
import {
  type Contents,
  makeBackupFolder,
  type PartWriter,
} from "@/lib/domain/backup/backup-folder";
import { FILE_TABLES } from "@/lib/domain/blobs/blob-audit";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { env } from "@/lib/env";
import { BACKUP_LOCK_KEY } from "@/lib/platform/backup-lock.mjs";
import type { SealTo } from "@/lib/platform/crypto/age-seal";
import { onOwnConnection, type Queryable } from "@/lib/platform/postgres";
import { FileMissing } from "@/lib/storage/files/file-store";

/**
 * What a restored service makes anew: limits of the current minute, uploads under way, the
 * processes that ran, and the counts of rows, which triggers keep as the rows come in.
 */
export const LEFT_OUT = [
  "_prisma_migrations",
  "minute_buckets",
  "uploads",
  "engine_processes",
  "engine_deaths",
  "engine_limits",
  "row_counts",
];

const FETCH_ROWS = 500;

export interface WrittenBackup {
  path: string;
  created_at: string;
  rows: number;
  files: number;
  bytes: number;
  /** Whether everything in it is sealed. */
  sealed: boolean;
  /** What became of the key ring; `environment`: it is none of this machine's files. */
  keys: "sealed" | "in_clear" | "left_out" | "environment";
  /** What whoever keeps this backup has to know. */
  warning?: string;
}

/**
 * Writes a backup of the database, the files and the keys into the folder `path`, which must be
 * empty or not there. The service may go on meanwhile: all rows are of one moment, and a file that
 * is deleted while it is copied leaves the backup with its row.
 * @param options.sealTo for whom all of it is sealed; null: nothing is
 * @param options.withKeys false leaves the key ring out
 * @throws ServiceError CONFLICT when the folder holds something, INVALID_INPUT for what is no
 * recipient
 */
export async function writeBackup(
  path: string,
  { sealTo = null, withKeys = true }: BackupOptions = {},
): Promise<WrittenBackup> {
  const folder = resolve(path);
  const backup = await makeBackupFolder(folder, sealTo);
  return onOwnConnection(async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // So that a migration, whose locks wait for all that this reads, can say what it waits for.
    await client.query("SELECT pg_advisory_xact_lock_shared($1)", [BACKUP_LOCK_KEY]);
    const { at, migration } = await readMoment(client);
    const gone = new Set<string>();
    const files = await copyFiles(client, backup, gone);
    const tables = await copyTables(client, backup, gone);
    await client.query("COMMIT");
    const keys = withKeys ? await copyKeys(backup, sealTo !== null) : "left_out";
    const created_at = at.toISOString();
    await backup.finish({ created_at, migration }, { tables, files });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const bytes = files.reduce((sum, file) => sum + file.size_bytes, 0);
    const warning = WARNINGS[keys];
    return {
      path: folder,
      created_at,
      rows,
      files: files.length,
      bytes,
      sealed: sealTo !== null,
      keys,
      ...(warning && { warning }),
    };
  });
}

export interface BackupOptions {
  sealTo?: SealTo | null;
  withKeys?: boolean;
}

const WARNINGS: Partial<Record<WrittenBackup["keys"], string>> = {
  in_clear:
    "The key ring lies in this backup in clear: whoever reads it opens every secret of every " +
    "account. Seal it with --recipient or --passphrase-file, or keep it like the secrets " +
    "themselves.",
  left_out:
    "The key ring is not in this backup: keep secrets.json of the data folder, without it no " +
    "secret of this backup opens.",
};

const MOMENT = `
SELECT now() AS at, (SELECT max(migration_name) FROM _prisma_migrations
  WHERE rolled_back_at IS NULL) AS migration`;

/** What the transaction sees: its time, and the newest migration. */
export async function readMoment(client: pg.ClientBase): Promise<{ at: Date; migration: string }> {
  const [moment] = (await client.query<{ at: Date; migration: string }>(MOMENT)).rows;
  if (!moment) throw new Error("The database has no migration.");
  return moment;
}

/**
 * Copies the bytes of every file that the rows of this moment name; a key whose bytes are gone by
 * now goes into `gone`.
 */
async function copyFiles(
  client: pg.ClientBase,
  to: PartWriter,
  gone: Set<string>,
): Promise<Contents["files"]> {
  const files: Contents["files"] = [];
  for (const table of FILE_TABLES) {
    const columns = "storage_key AS key, size_bytes::float8 AS size_bytes, sha256";
    for await (const row of rowsOf<Contents["files"][number]>(
      client,
      `SELECT ${columns} FROM ${table} ORDER BY storage_key`,
    )) {
      if (await copyBytes(row.key, to, `files/${files.length}`)) files.push(row);
      else gone.add(row.key);
    }
  }
  return files;
}

async function copyBytes(key: string, to: PartWriter, name: string): Promise<boolean> {
  let bytes: ReadableStream<Uint8Array>;
  try {
    bytes = await fileStore().read(key);
  } catch (error) {
    if (error instanceof FileMissing) return false;
    throw error;
  }
  await to.write(name, Readable.fromWeb(bytes as NodeReadableStream<Uint8Array>));
  return true;
}

/**
 * Writes every table as `tables/<name>.ndjson`, a JSON object a row, without the rows whose files
 * are `gone`.
 */
export async function copyTables(
  client: pg.ClientBase,
  to: PartWriter,
  gone: Set<string>,
): Promise<Contents["tables"]> {
  const tables = await listTables(client);
  const copied: Contents["tables"] = [];
  for (const { name, columns } of tables) {
    let rows = 0;
    const lines = async function* () {
      const isOfFiles = FILE_TABLES.some((table) => table === name);
      const text = `SELECT row_to_json(t)::text AS line${isOfFiles ? ", t.storage_key AS key" : ""}
                    FROM ${pg.escapeIdentifier(name)} t`;
      for await (const { line, key } of rowsOf<{ line: string; key?: string }>(client, text)) {
        if (key !== undefined && gone.has(key)) continue;
        rows += 1;
        yield `${line}\n`;
      }
    };
    await to.write(`tables/${name}.ndjson`, lines());
    copied.push({ name, columns, rows });
  }
  return copied;
}

/** The tables that a backup has, as the catalogue names them. */
export async function listTables(on: Queryable): Promise<{ name: string; columns: string[] }[]> {
  return (await on.query<{ name: string; columns: string[] }>(TABLES, [LEFT_OUT])).rows;
}

/**
 * Every table of the service with its columns, those that others refer to first; accounts before
 * all, since counting a row names its account.
 */
const TABLES = `
WITH RECURSIVE tables AS (
  SELECT c.oid, c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
    AND c.relkind = 'r' AND c.relname <> ALL($1)
), depth AS (
  SELECT oid, 0 AS level FROM tables
  UNION SELECT f.conrelid, depth.level + 1 FROM depth
  JOIN pg_constraint f ON f.confrelid = depth.oid AND f.contype = 'f' AND f.conrelid <> f.confrelid
  WHERE depth.level < 20
)
SELECT name, (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
  WHERE attrelid = tables.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
FROM tables JOIN (SELECT oid, max(level) AS level FROM depth GROUP BY oid) placed USING (oid)
ORDER BY level, name <> 'accounts', name`;

/** The rows of a query, some at a time: a table of millions never lies in memory as a whole. */
async function* rowsOf<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
): AsyncGenerator<Row> {
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

/**
 * Without the keys nobody opens the secrets. Where they come by the environment, they are kept by
 * whoever keeps that.
 */
async function copyKeys(to: PartWriter, isSealed: boolean): Promise<WrittenBackup["keys"]> {
  const text = await readFile(keysPath()).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return null;
  });
  if (text === null) return "environment";
  await to.write(KEYS_PART, Readable.from([text]));
  return isSealed ? "sealed" : "in_clear";
}

export const KEYS_PART = "secrets.json";

export function keysPath(): string {
  return join(resolve(env().DATA_DIR), "secrets.json");
}
