import "server-only";
import { resolve } from "node:path";
import { StringDecoder } from "node:string_decoder";
import pg from "pg";
import { rememberStore, requireStopped } from "@/lib/domain/admin/service-identity";
import {
  type Contents,
  gather,
  openBackupFolder,
  type PartReader,
} from "@/lib/domain/backup/backup-folder";
import { KEYS_PART, keysPath, listTables } from "@/lib/domain/backup/write-backup";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { ServiceError } from "@/lib/model/errors";
import type { OpenWith } from "@/lib/platform/crypto/age-seal";
import { replaceSecretsFile } from "@/lib/platform/crypto/key-ring";
import { onOwnConnection, type Queryable } from "@/lib/platform/postgres";
import { isFileKey } from "@/lib/storage/files/file-store";

const BATCH_CHARACTERS = 4 * 1024 * 1024;

export interface RestoredBackup {
  path: string;
  created_at: string;
  rows: number;
  files: number;
  /** Every session that the backup held; people sign in again. */
  sessions_ended: number;
  keys_revoked: number;
  /**
   * `left_out`: the backup has none, and what they sealed opens only with the ring that this
   * service has, if it is the same.
   */
  keys: "restored" | "left_out";
}

export interface RestoreOptions {
  /** What opens a sealed backup. */
  openWith?: OpenWith | null;
  /**
   * Whether the backup has to be sealed: whoever expects that is not given one that somebody put in
   * its place.
   */
  mustBeSealed?: boolean;
  /**
   * Whether every API key of the backup is revoked: those that were revoked since it was made work
   * again otherwise.
   */
  revokeKeys?: boolean;
}

/**
 * Fills an empty service from a backup: files first, then all rows in one transaction, then the
 * keys. When it is broken off, the service is still empty and it may be tried again. The database
 * may be another one than the backup's, and so may the file store. Sessions and mailed links of the
 * backup end with it:
 * some of them had ended since.
 * @throws ServiceError CONFLICT when the service has accounts, or is of another version;
 * INVALID_INPUT when the folder holds no whole backup, or one that names
 *   what this version's database does not have
 */
export async function restoreBackup(
  path: string,
  { openWith = null, mustBeSealed = false, revokeKeys = false }: RestoreOptions = {},
): Promise<RestoredBackup> {
  const folder = resolve(path);
  const backup = await openBackupFolder(folder, openWith);
  if (mustBeSealed && !backup.isSealed)
    throw new ServiceError(
      "INVALID_INPUT",
      `The backup in ${folder} is not sealed. If that is right, leave the key out. Nothing was ` +
        "changed.",
    );
  const ended = await onOwnConnection(async (tx) => {
    await tx.query("BEGIN");
    await requireEmpty(
      tx,
      backup.migration,
      "A backup is restored into an empty one: set DATA_DIR to a new folder.",
    );
    await requireStopped(tx, "it reads the keys at its start.");
    await requireKnownNames(tx, backup);
    await restoreFiles(backup);
    await fillDatabase(tx, backup, backup.tables);
    const counts = await endAccess(tx, revokeKeys);
    // Its keys are those of the backup; its files lie here now.
    await rememberStore(tx, await fileStore().identity());
    // Last, for it cannot be undone with the rows: without them the old keys do no harm.
    const keys = await restoreKeys(backup);
    await tx.query("COMMIT");
    return { ...counts, keys };
  });
  const rows = backup.tables.reduce((sum, table) => sum + table.rows, 0);
  return {
    path: folder,
    created_at: backup.created_at,
    rows,
    files: backup.files.length,
    ...ended,
  };
}

/**
 * A backup may come from anybody. What it names becomes part of statements and of places in the
 * file store, so each name is one of this database's own.
 * @throws ServiceError INVALID_INPUT
 */
async function requireKnownNames(tx: Queryable, { tables, files }: Contents): Promise<void> {
  const known = new Map(
    (await listTables(tx)).map(({ name, columns }) => [name, new Set(columns)]),
  );
  const refuse = (what: string) =>
    new ServiceError(
      "INVALID_INPUT",
      `The backup names ${what}, which a backup of this version does not have. Nothing was ` +
        "changed.",
    );
  const seen = new Set<string>();
  for (const { name, columns } of tables) {
    const own = known.get(name);
    if (!own || seen.has(name))
      throw refuse(`the table ${JSON.stringify(name)}${own ? " twice" : ""}`);
    seen.add(name);
    const stranger = columns.find(
      (column, place) => !own.has(column) || columns.indexOf(column) !== place,
    );
    if (stranger !== undefined || columns.length === 0)
      throw refuse(`the column ${JSON.stringify(stranger ?? "")} of ${name}`);
  }
  for (const { key } of files) if (!isFileKey(key)) throw refuse(`the file ${JSON.stringify(key)}`);
}

/**
 * What had ended since the backup was made begins anew with it: sessions and mailed links end here,
 * keys where that is asked for.
 */
async function endAccess(
  tx: Queryable,
  revokeKeys: boolean,
): Promise<Pick<RestoredBackup, "sessions_ended" | "keys_revoked">> {
  const sessions = await tx.query(
    "UPDATE user_sessions SET ended_at = now() WHERE ended_at IS NULL AND expires_at > now()",
  );
  await tx.query("UPDATE users SET session_version = session_version + 1");
  await tx.query("UPDATE user_tokens SET used_at = now() WHERE used_at IS NULL");
  const keys = revokeKeys
    ? await tx.query("UPDATE api_keys SET revoked_at = now() WHERE revoked_at IS NULL")
    : null;
  return { sessions_ended: sessions.rowCount ?? 0, keys_revoked: keys?.rowCount ?? 0 };
}

/**
 * Puts the rows of a backup's tables, whose names are this database's, into one without accounts,
 * as they were.
 */
export async function fillDatabase(
  tx: pg.ClientBase,
  from: PartReader,
  tables: Contents["tables"],
): Promise<void> {
  // The sums come along; the trigger that adds charges up would count them again.
  await tx.query("SET LOCAL lathe.restoring = 'on'");
  await clearTraces(tx);
  for (const table of tables) await restoreTable(tx, from, table);
  await tx.query(FREE_RUNS);
  for (const { sequence, column, table } of (await tx.query<Sequence>(SEQUENCES)).rows)
    await tx.query(
      `SELECT setval($1, greatest(1, (SELECT max(${pg.escapeIdentifier(column)})
             FROM ${pg.escapeIdentifier(table)})))`,
      [sequence],
    );
}

/**
 * Kept beside what the backup has of them: the log of what was done, and ways in that the operator
 * has made.
 */
const KEPT_TRACES = ["audit_events", "invitations"];

/**
 * A service that was started once has rows of its own, without an account: the engine's, its
 * identity, counts of addresses. They are not the backup's.
 */
async function clearTraces(tx: Queryable): Promise<void> {
  const tables = (await listTables(tx)).filter(({ name }) => !KEPT_TRACES.includes(name));
  for (const { name } of tables.reverse())
    await tx.query(`DELETE FROM ${pg.escapeIdentifier(name)}`);
}

interface Sequence {
  sequence: string;
  table: string;
  column: string;
}

/**
 * What a process drove that is no more waits for a place: whatever it was in the middle of, nobody
 * else would wake it.
 */
const FREE_RUNS = `
UPDATE engine_runs SET owner = NULL, queued = queued
  OR (status = 'active' AND lane IS NOT NULL AND due_at IS NULL)
WHERE owner IS NOT NULL`;

/**
 * By the catalogue itself: the views over it may ask about tables of other schemas before they
 * leave them out.
 */
const SEQUENCES = `
SELECT s.oid::regclass::text AS sequence, t.relname AS "table", a.attname AS "column"
FROM pg_depend d
JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S' JOIN pg_class t ON t.oid = d.refobjid
JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
  AND d.deptype IN ('a', 'i')
  AND t.relnamespace = 'public'::regnamespace`;

/**
 * @throws ServiceError CONFLICT for a database with accounts, or of another version than
 * `migration` is the newest of
 */
export async function requireEmpty(
  tx: pg.ClientBase,
  migration: string,
  advice: string,
): Promise<void> {
  const { rows } = await tx.query<{ accounts: boolean; migration: string }>(
    `SELECT EXISTS (SELECT 1 FROM accounts) AS accounts,
       (SELECT max(migration_name) FROM _prisma_migrations
        WHERE rolled_back_at IS NULL) AS migration`,
  );
  const [found] = rows;
  if (found?.accounts) throw new ServiceError("CONFLICT", `This service has accounts. ${advice}`);
  if (found?.migration !== migration)
    throw new ServiceError(
      "CONFLICT",
      `The backup is of the version with migration ${migration}, this one has ` +
        `${found?.migration}. Restore it with that version; a newer one then brings it up to ` +
        "date at its start.",
    );
}

/**
 * Bytes under their old keys. What a try before this one left is written anew. @throws ServiceError
 * INVALID_INPUT when a file is not what it was
 */
async function restoreFiles(backup: Contents & PartReader): Promise<void> {
  for (const [index, file] of backup.files.entries()) {
    const name = `files/${index}`;
    const bytes = await backup.read(name);
    if (bytes === null) throw notWhatWasSaved(name);
    await fileStore().delete(file.key);
    const stored = await fileStore().put(file.key, bytes, { maxBytes: file.size_bytes });
    if (stored.sha256 !== file.sha256 || stored.sizeBytes !== file.size_bytes)
      throw notWhatWasSaved(name);
  }
}

function notWhatWasSaved(name: string): ServiceError {
  return new ServiceError(
    "INVALID_INPUT",
    `${name} of the backup is not the file that was saved. Nothing was changed.`,
  );
}

async function restoreTable(
  tx: pg.ClientBase,
  from: PartReader,
  table: Contents["tables"][number],
): Promise<void> {
  const file = `${table.name}.ndjson`;
  const name = pg.escapeIdentifier(table.name);
  const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(", ");
  const part = await from.read(`tables/${file}`);
  // A service that held this backup's accounts once may have some of these rows still.
  const mayBeThere = KEPT_TRACES.includes(table.name);
  let restored = 0;
  for await (const lines of batchesOf(part ?? [])) {
    const { rowCount } = await tx.query(
      `INSERT INTO ${name} (${columns})
     SELECT ${columns} FROM json_populate_recordset(NULL::${name}, $1::json)
       ${mayBeThere ? "ON CONFLICT DO NOTHING" : ""}`,
      [`[${lines.join(",")}]`],
    );
    restored += mayBeThere ? lines.length : (rowCount ?? 0);
  }
  if (restored !== table.rows)
    throw new ServiceError(
      "INVALID_INPUT",
      `${file} of the backup has ${restored} rows, not ${table.rows}. Nothing was changed.`,
    );
}

/**
 * The lines of a part, some MiB at a time. (Node's own reader of lines takes U+2028 for the end of
 * one.)
 */
async function* batchesOf(
  part: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string[]> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let lines: string[] = [];
  let characters = 0;
  for await (const chunk of part) {
    const text = decoder.write(Buffer.from(chunk));
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    characters += text.length;
    if (characters < BATCH_CHARACTERS || lines.length === 0) continue;
    yield lines;
    lines = [];
    characters = 0;
  }
  if (rest !== "") lines.push(rest);
  if (lines.length > 0) yield lines;
}

/**
 * The backup's keys in place of the ones that this start has made. Keys of the environment stay
 * with whoever gives them.
 */
async function restoreKeys(backup: PartReader): Promise<RestoredBackup["keys"]> {
  const part = await backup.read(KEYS_PART);
  if (part === null) return "left_out";
  const text = Buffer.from(await gather(part)).toString("utf8");
  try {
    replaceSecretsFile(keysPath(), text);
  } catch (error) {
    if (error instanceof Error && "code" in error) throw error; // of the file system
    throw notWhatWasSaved(KEYS_PART);
  }
  return "restored";
}
