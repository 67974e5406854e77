import "server-only";
import { fileStore, removeBytes } from "@/lib/domain/blobs/stored-bytes";
import { postgres } from "@/lib/platform/postgres";
import { type FileStore, isOwnFileKey } from "@/lib/storage/files/file-store";

/** Bytes are stored before their row: younger ones may be about to get it. */
const LEAST_AGE_MS = 24 * 3600 * 1000;

interface LeakedFiles {
  /** Files that were looked at, and those of them that no row names. */
  looked: number;
  leaked: { key: string; size_bytes: number }[];
  /** The key to go on behind; null at the end. */
  next: string | null;
}

/**
 * Looks for bytes in the store that no row names: a process was killed between storing and naming
 * them, or between forgetting and removing them. Keys are never used twice, so what nobody names
 * after a day nobody ever will.
 * @param after where an earlier call stopped; "" to begin
 * @param options.remove whether they are removed
 * @param options.limitMs how long to go on
 */
export async function findLeakedFiles(
  after: string,
  {
    remove,
    limitMs = Number.POSITIVE_INFINITY,
    leastAgeMs = LEAST_AGE_MS,
  }: { remove: boolean; limitMs?: number; leastAgeMs?: number },
): Promise<LeakedFiles> {
  const startedAt = Date.now();
  const found: LeakedFiles = { looked: 0, leaked: [], next: null };
  for await (const page of fileStore().list(after)) {
    const old = page.filter(
      ({ key, storedAt }) => isOwnFileKey(key) && storedAt.getTime() < startedAt - leastAgeMs,
    );
    const named = await namedKeys(old.map(({ key }) => key));
    for (const { key, sizeBytes } of old) {
      if (named.has(key)) continue;
      found.leaked.push({ key, size_bytes: sizeBytes });
      if (remove) await removeBytes(key);
    }
    found.looked += page.length;
    if (Date.now() - startedAt < limitMs) continue;
    found.next = page.at(-1)?.key ?? null;
    break;
  }
  return found;
}

async function namedKeys(keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await postgres().query<{ key: string }>(
    `SELECT storage_key AS key FROM workspace_files WHERE storage_key = ANY($1)
     UNION ALL SELECT storage_key FROM artifacts WHERE storage_key = ANY($1)
     UNION ALL SELECT storage_key FROM run_files WHERE storage_key = ANY($1)`,
    [keys],
  );
  return new Set(rows.map(({ key }) => key));
}

const BATCH_ROWS = 500;
const AT_ONCE = 8;
const LEAST_ID = "00000000-0000-0000-0000-000000000000";

/** The tables whose rows name bytes of the store. */
export const FILE_TABLES = ["workspace_files", "artifacts", "run_files"] as const;

export interface NamedFile {
  table: (typeof FILE_TABLES)[number];
  id: string;
  account_id: string;
  key: string;
  size_bytes: number;
  sha256: string;
}

/** Every row that names bytes, a batch at a time, by the index of their ids. */
export async function* namedFiles(): AsyncGenerator<NamedFile[]> {
  for (const table of FILE_TABLES) {
    for (let after: string | undefined = LEAST_ID; after !== undefined; ) {
      const { rows }: { rows: NamedFile[] } = await postgres().query<NamedFile>(
        `SELECT '${table}' AS "table", id, account_id, storage_key AS key,
           size_bytes::float8 AS size_bytes, sha256
         FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${BATCH_ROWS}`,
        [after],
      );
      if (rows.length > 0) yield rows;
      after = rows.length < BATCH_ROWS ? undefined : rows.at(-1)?.id;
    }
  }
}

/** Runs `work` on each, some at a time. */
export async function someAtOnce<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await work(item);
    }),
  );
}

/**
 * The rows whose bytes are not in the store, or not all of them. What was deleted meanwhile is
 * none.
 */
export async function findMissingFiles(
  store: FileStore = fileStore(),
): Promise<{ rows: number; missing: NamedFile[] }> {
  const found: { rows: number; missing: NamedFile[] } = { rows: 0, missing: [] };
  for await (const batch of namedFiles()) {
    found.rows += batch.length;
    await someAtOnce(batch, async (row) => {
      if ((await store.size(row.key)) !== row.size_bytes && (await isStillNamed(row)))
        found.missing.push(row);
    });
  }
  return found;
}

async function isStillNamed({ table, id, key, account_id }: NamedFile): Promise<boolean> {
  const { rowCount } = await postgres().query(
    `SELECT 1 FROM ${table} WHERE id = $1 AND account_id = $2 AND storage_key = $3`,
    [id, account_id, key],
  );
  return rowCount !== 0;
}
