import "server-only";
import { join, resolve } from "node:path";
import { env } from "@/lib/env";
import { once } from "@/lib/platform/once";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";
import type { FileStore } from "@/lib/storage/files/file-store";
import { createS3FileStore } from "@/lib/storage/files/s3-file-store";

/** Where the bytes of files and artifacts lie: S3 when a bucket is named, else a folder in DATA_DIR. */
export function fileStore(): FileStore {
  return once("file-store", () => createStore(env().S3_BUCKET));
}

/** The store of a bucket by the service's own settings of S3; without one, that of DATA_DIR. */
export function createStore(bucket: string): FileStore {
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_FORCE_PATH_STYLE, DATA_DIR } = env();
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
