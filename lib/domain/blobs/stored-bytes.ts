import "server-only";
import { join, resolve } from "node:path";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { log } from "@/lib/platform/log";
import type { Transaction } from "@/lib/platform/postgres";
import { definePart } from "@/lib/service";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";
import {
  type FileSource,
  type FileStore,
  FileTooLarge,
  newFileKey,
} from "@/lib/storage/files/file-store";
import { createS3FileStore } from "@/lib/storage/files/s3-file-store";

/**
 * Where the bytes of files and artifacts lie: S3 when a bucket is named, else a folder in DATA_DIR.
 */
export const fileStore = definePart(
  "file-store",
  () => createStore(env().S3_BUCKET),
  (store) => store.close?.(),
);

/** The store of a bucket by the service's own settings of S3; without one, that of DATA_DIR. */
export function createStore(bucket: string): FileStore {
  const {
    S3_ENDPOINT,
    S3_REGION,
    S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY,
    S3_FORCE_PATH_STYLE,
    DATA_DIR,
  } = env();
  if (!bucket) return createDiskFileStore(join(resolve(DATA_DIR), "files"));
  return createS3FileStore({
    bucket,
    endpoint: S3_ENDPOINT,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    forcePathStyle: S3_FORCE_PATH_STYLE,
  });
}

/**
 * Bytes in the store that no row names yet: either a verb names them or `removeBytes` takes them
 * back.
 */
export interface StoredBytes {
  storageKey: string;
  sizeBytes: number;
  sha256: string;
}

/**
 * Streams bytes into the store. When it rejects, nothing is stored.
 * @param maxBytes where the account's space ends before the file's limit does
 * @param tooLarge what is thrown for more
 * @throws ServiceError PAYLOAD_TOO_LARGE
 */
export async function storeBytes(
  accountId: string,
  bytes: FileSource,
  signal?: AbortSignal,
  maxBytes = env().FILE_MAX_BYTES,
  tooLarge = maxBytes < env().FILE_MAX_BYTES ? spaceExceeded : fileTooLarge,
): Promise<StoredBytes> {
  const storageKey = newFileKey(accountId);
  try {
    return { storageKey, ...(await fileStore().put(storageKey, bytes, { maxBytes, signal })) };
  } catch (error) {
    throw error instanceof FileTooLarge ? tooLarge() : error;
  }
}

export function fileTooLarge(): ServiceError {
  return new ServiceError(
    "PAYLOAD_TOO_LARGE",
    `A file may have at most ${env().FILE_MAX_BYTES} bytes. Nothing was stored.`,
  );
}

/**
 * Counts bytes against the account's quota by one conditional update. @throws ServiceError
 * PAYLOAD_TOO_LARGE
 */
export async function reserveStorage(
  tx: Transaction,
  accountId: string,
  bytes: bigint,
): Promise<void> {
  const limit = env().ACCOUNT_FILES_MAX_BYTES;
  const { rowCount } = await tx.query(
    `UPDATE accounts SET files_bytes = greatest(0, files_bytes + $2::bigint)
     WHERE id = $1 AND ($2::bigint <= 0 OR files_bytes + $2::bigint <= $3)`,
    [accountId, bytes, limit],
  );
  if (rowCount === 0) throw spaceExceeded();
}

export function spaceExceeded(): ServiceError {
  const limit = env().ACCOUNT_FILES_MAX_BYTES;
  return new ServiceError(
    "PAYLOAD_TOO_LARGE",
    `The account's files may have at most ${limit} bytes together. Nothing was stored; delete ` +
      "files first.",
  );
}

/**
 * Removes bytes that no row names; when that fails they are only left over, and said so in the log.
 */
export async function removeBytes(storageKey: string): Promise<void> {
  await fileStore()
    .delete(storageKey)
    .catch((error: unknown) =>
      log.warn({ err: error, storage_key: storageKey }, "stored bytes could not be removed"),
    );
}
