import "server-only";
import mime from "mime-types";
import {
  removeBytes,
  reserveStorage,
  type StoredBytes,
  storeBytes,
} from "@/lib/domain/blobs/stored-bytes";
import { type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { isTerminal, type RunStatus } from "@/lib/model/run/run-status";
import { newId } from "@/lib/platform/ids";
import { postgres, type Transaction, transaction, withinAccount } from "@/lib/platform/postgres";
import type { FileSource } from "@/lib/storage/files/file-store";

/** Of one run. */
export const RUN_FILES_MAX = 200;
export const RUN_FILES_MAX_BYTES = 256 * 1024 * 1024;
/** Of one file, where the service takes files as large. */
const RUN_FILE_MAX_BYTES = 64 * 1024 * 1024;

/** A file that a run has, or can read. */
export interface RunFile {
  id: string;
  runId: string;
  path: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
  storageKey: string;
  /** The tool call that wrote it last. */
  stepKey: string;
  createdAt: Date;
  updatedAt: Date;
}

interface Owner {
  id: string;
  accountId: string;
}

/** Bytes that are to be a run's file under a checked path. */
export interface NewRunFile {
  path: string;
  /** Null: by the path's ending. */
  contentType: string | null;
  stored: StoredBytes;
}

/**
 * Streams bytes that are to be a run's file into the store. When it rejects, nothing is stored.
 * @throws ServiceError PAYLOAD_TOO_LARGE
 */
export function storeRunBytes(
  accountId: string,
  bytes: FileSource,
  signal?: AbortSignal,
): Promise<StoredBytes> {
  const most = Math.min(RUN_FILE_MAX_BYTES, env().FILE_MAX_BYTES);
  const tooLarge = () =>
    new ServiceError(
      "PAYLOAD_TOO_LARGE",
      `A file of a run may have at most ${most} bytes. Nothing was stored.`,
    );
  return storeBytes(accountId, bytes, signal, most, tooLarge);
}

const COLUMNS = `f.id, f.run_id AS "runId", f.path, f.content_type AS "contentType", \
f.size_bytes::float8 AS "sizeBytes", f.sha256,
  f.storage_key AS "storageKey", f.step_key AS "stepKey", f.created_at AS "createdAt", \
f.updated_at AS "updatedAt"`;

/**
 * Makes stored bytes files of a run that is at work, all of them or none; a path that is there
 * already is replaced. When it rejects, the bytes are gone too.
 * @param stepKey the tool call that made them
 * @throws ServiceError CONFLICT (the run has ended, or has too many files), PAYLOAD_TOO_LARGE (the
 * run's space, or the account's)
 */
export async function commitRunFiles(
  run: Owner,
  files: readonly NewRunFile[],
  stepKey: string,
): Promise<RunFile[]> {
  const commit = async (tx: Transaction) => {
    await requireAtWork(tx, run);
    const replaced = await tx.query<{ size_bytes: string; storage_key: string }>(
      `SELECT size_bytes, storage_key FROM run_files WHERE run_id = $1 AND account_id = $2
         AND path = ANY($3)`,
      [run.id, run.accountId, files.map(({ path }) => path)],
    );
    const saved: RunFile[] = [];
    for (const file of files) saved.push(await upsert(tx, run, file, stepKey));
    await requireRoomOfRun(tx, run);
    const added = files.reduce((sum, { stored }) => sum + BigInt(stored.sizeBytes), 0n);
    const freed = replaced.rows.reduce((sum, { size_bytes }) => sum + BigInt(size_bytes), 0n);
    // The account's row last, as everybody does.
    await reserveStorage(tx, run.accountId, added - freed);
    return { saved, replacedKeys: replaced.rows.map(({ storage_key }) => storage_key) };
  };
  try {
    const { saved, replacedKeys } = await withinAccount(run.accountId, () => transaction(commit));
    for (const key of replacedKeys) await removeBytes(key);
    return saved;
  } catch (error) {
    for (const { stored } of files) await removeBytes(stored.storageKey);
    throw error;
  }
}

/**
 * Holds the run's row: its files change one after another, and none is added to a run that has
 * ended, which may be deleted at any time.
 */
async function requireAtWork(tx: Transaction, { id, accountId }: Owner): Promise<void> {
  const { rows } = await tx.query<{ status: RunStatus }>(
    "SELECT status FROM runs WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE",
    [id, accountId],
  );
  if (!rows[0] || isTerminal(rows[0].status))
    throw new ServiceError("CONFLICT", "The run has ended, so nothing was stored.");
}

async function upsert(
  tx: Transaction,
  run: Owner,
  { path, contentType, stored }: NewRunFile,
  stepKey: string,
): Promise<RunFile> {
  const type = contentType || mime.lookup(path) || "application/octet-stream";
  const { rows } = await tx.query<RunFile>(
    `INSERT INTO run_files AS f (id, run_id, account_id, path, content_type, size_bytes, sha256,
       storage_key, step_key, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())
     ON CONFLICT (run_id, path) DO UPDATE SET content_type = $5, size_bytes = $6, sha256 = $7,
       storage_key = $8, step_key = $9, updated_at = now()
     RETURNING ${COLUMNS}`,
    [
      newId(),
      run.id,
      run.accountId,
      path,
      type,
      stored.sizeBytes,
      stored.sha256,
      stored.storageKey,
      stepKey,
    ],
  );
  const [saved] = rows;
  if (!saved) throw new Error("the run file's row was not stored");
  return saved;
}

async function requireRoomOfRun(tx: Transaction, run: Owner): Promise<void> {
  const { rows } = await tx.query<{ files: number; bytes: string }>(
    `SELECT count(*)::int AS files, coalesce(sum(size_bytes), 0) AS bytes FROM run_files
     WHERE run_id = $1 AND account_id = $2`,
    [run.id, run.accountId],
  );
  const { files = 0, bytes = "0" } = rows[0] ?? {};
  if (files > RUN_FILES_MAX)
    throw new ServiceError(
      "CONFLICT",
      `A run may have at most ${RUN_FILES_MAX} files. Nothing was stored; delete some first.`,
    );
  if (Number(bytes) > RUN_FILES_MAX_BYTES)
    throw new ServiceError(
      "PAYLOAD_TOO_LARGE",
      `A run's files may have at most ${RUN_FILES_MAX_BYTES} bytes together. Nothing was stored; ` +
        "delete some first.",
    );
}

/**
 * Removes a file of a run that is at work.
 * @returns whether there was one
 * @throws ServiceError CONFLICT (the run has ended)
 */
export async function removeRunFile(run: Owner, path: string): Promise<boolean> {
  const remove = async (tx: Transaction) => {
    await requireAtWork(tx, run);
    const { rows } = await tx.query<{ size_bytes: string; storage_key: string }>(
      `DELETE FROM run_files WHERE run_id = $1 AND account_id = $2 AND path = $3
       RETURNING size_bytes, storage_key`,
      [run.id, run.accountId, path],
    );
    if (rows[0]) await reserveStorage(tx, run.accountId, -BigInt(rows[0].size_bytes));
    return rows[0]?.storage_key;
  };
  const key = await withinAccount(run.accountId, () => transaction(remove));
  if (key !== undefined) await removeBytes(key);
  return key !== undefined;
}

/** A run's own files, in the order of their paths. */
export async function listRunFiles({ id, accountId }: Owner, prefix = ""): Promise<RunFile[]> {
  const { rows } = await postgres().query<RunFile>({
    name: "list-run-files",
    text: `SELECT ${COLUMNS} FROM run_files f WHERE f.run_id = $1 AND f.account_id = $2
             AND starts_with(f.path, $3) ORDER BY f.path LIMIT ${RUN_FILES_MAX}`,
    values: [id, accountId, prefix],
  });
  return rows;
}

/** The same a page at a time, newest first. */
export async function pageOfRunFiles({ id, accountId }: Owner, page: PageRequest) {
  const before = readCursor(page.cursor);
  const { rows } = await postgres().query<RunFile>({
    name: "page-run-files",
    text: `SELECT ${COLUMNS} FROM run_files f WHERE f.run_id = $1 AND f.account_id = $2
             AND ($3::uuid IS NULL OR f.id < $3) ORDER BY f.id DESC LIMIT $4`,
    values: [id, accountId, before, rowsToRead(page)],
  });
  return toPage(rows, page.limit, (file) => file.id);
}

/** A run's own file of this path; null where there is none. */
export async function findRunFile({ id, accountId }: Owner, path: string): Promise<RunFile | null> {
  const { rows } = await postgres().query<RunFile>({
    name: "find-run-file",
    text: `SELECT ${COLUMNS} FROM run_files f WHERE f.run_id = $1 AND f.account_id = $2
             AND f.path = $3`,
    values: [id, accountId, path],
  });
  return rows[0] ?? null;
}

/** Whose earlier files a run reads: those of its conversation, up to a place in it. */
export interface EarlierScope {
  runId: string;
  accountId: string;
  conversationId: string | null;
  /** Null: to its end. */
  before: number | null;
}

const EARLIER_MAX = 400;
// An artifact is a file that its run handed over: a later run reads it by its name, or by its id,
// and so does the run that has started its run.
const EARLIER = `
SELECT * FROM (
  SELECT DISTINCT ON (path) * FROM (
    SELECT ${COLUMNS}, f.id::text AS handle FROM runs e JOIN run_files f ON f.run_id = e.id
      AND f.account_id = $1
    WHERE e.conversation_id = $2 AND e.account_id = $1 AND e.id <> $3 AND e.completed_at IS NOT NULL
      AND ($4::bigint IS NULL OR EXISTS (SELECT 1 FROM messages b WHERE b.run_id = e.id
            AND b.position < $4))
    UNION ALL
    SELECT a.id, a.run_id, a.name, a.content_type, a.size_bytes::float8, a.sha256, a.storage_key,
      a.step_key, a.created_at, a.created_at, a.id::text
    FROM runs e JOIN artifacts a ON a.run_id = e.id AND a.account_id = $1
    WHERE e.conversation_id = $2 AND e.account_id = $1 AND e.id <> $3 AND e.completed_at IS NOT NULL
      AND ($4::bigint IS NULL OR EXISTS (SELECT 1 FROM messages b WHERE b.run_id = e.id
            AND b.position < $4))
    UNION ALL
    SELECT a.id, a.run_id, a.name, a.content_type, a.size_bytes::float8, a.sha256, a.storage_key,
      a.step_key, a.created_at, a.created_at, a.id::text
    FROM runs c JOIN artifacts a ON a.run_id = c.id AND a.account_id = $1
    WHERE c.parent_run_id = $3 AND c.account_id = $1
  ) every
WHERE ($5::text IS NULL OR path = $5 OR handle = $5) AND starts_with(path, $6) ORDER BY path,
"runId" DESC, "createdAt" DESC
) newest ORDER BY path LIMIT ${EARLIER_MAX}`;

/**
 * The files and artifacts that earlier runs of a conversation left: of each path the newest.
 * @param only a path, or the id of a file or an artifact; null: all
 */
export async function listEarlierFiles(
  { accountId, conversationId, runId, before }: EarlierScope,
  only: string | null,
  prefix = "",
): Promise<RunFile[]> {
  const { rows } = await postgres().query<RunFile>({
    name: "list-earlier-files",
    text: EARLIER,
    values: [accountId, conversationId, runId, before, only, prefix],
  });
  return rows;
}
