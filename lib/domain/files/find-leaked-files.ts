import "server-only";
import { fileStore } from "@/lib/domain/files/file-store";
import { removeBytes } from "@/lib/domain/files/save-file";
import { postgres } from "@/lib/platform/postgres";
import { isOwnFileKey } from "@/lib/storage/files/file-key";

/** Bytes are stored before their row: younger ones may be about to get it. */
const LEAST_AGE_MS = 24 * 3600 * 1000;

export interface LeakedFiles {
  /** Files that were looked at, and those of them that no row names. */
  looked: number;
  leaked: { key: string; size_bytes: number }[];
  /** The key to go on behind; null at the end. */
  next: string | null;
}

/**
 * Looks for bytes in the store that no row names: a process was killed between storing and naming them, or between forgetting and removing them. Keys
 * are never used twice, so what nobody names after a day nobody ever will.
 * @param after where an earlier call stopped; "" to begin
 * @param options.remove whether they are removed
 * @param options.limitMs how long to go on
 */
export async function findLeakedFiles(
  after: string,
  { remove, limitMs = Number.POSITIVE_INFINITY, leastAgeMs = LEAST_AGE_MS }: { remove: boolean; limitMs?: number; leastAgeMs?: number },
): Promise<LeakedFiles> {
  const startedAt = Date.now();
  const found: LeakedFiles = { looked: 0, leaked: [], next: null };
  for await (const page of fileStore().list(after)) {
    const old = page.filter(({ key, storedAt }) => isOwnFileKey(key) && storedAt.getTime() < startedAt - leastAgeMs);
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
     UNION ALL SELECT storage_key FROM artifacts WHERE storage_key = ANY($1)`,
    [keys],
  );
  return new Set(rows.map(({ key }) => key));
}
