import "server-only";
import { isServiceRunning, rememberStore } from "@/lib/domain/admin/service-identity";
import {
  findMissingFiles,
  type NamedFile,
  namedFiles,
  someAtOnce,
} from "@/lib/domain/blobs/blob-audit";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";
import { FileMissing, type FileStore } from "@/lib/storage/files/file-store";

export interface MovedFiles {
  /**
   * `copied`: the service runs, and goes on with the old store. Stop it and call again, which
   * copies the rest and is quick.
   */
  status: "moved" | "copied";
  from: string;
  to: string;
  copied: number;
  bytes: number;
  /** Those that an earlier call had copied. */
  there_before: number;
  /** Rows whose bytes are not in the old store either: lost before. */
  missing: string[];
}

/**
 * Copies the bytes that rows name from this service's file store to another, each compared by size
 * and SHA-256 with its row. May be broken off and called again. Nothing is removed from the old
 * one. Once everything is there and no service runs, the database belongs to the new store.
 * @throws ServiceError CONFLICT when it is the same store, or bytes are not what their row says
 */
export async function moveFiles(target: FileStore): Promise<MovedFiles> {
  const [from, to] = await Promise.all([fileStore().identity(), target.identity()]);
  if (from === to) throw new ServiceError("CONFLICT", `The files lie in ${to} already.`);
  const running = await isServiceRunning(postgres());
  const moved: MovedFiles = {
    status: "copied",
    from,
    to,
    copied: 0,
    bytes: 0,
    there_before: 0,
    missing: [],
  };
  for await (const batch of namedFiles())
    await someAtOnce(batch, (file) => copy(file, target, moved));
  if (running || (await isServiceRunning(postgres()))) return moved;
  // What was found missing at the source is missing here too.
  const { missing } = await findMissingFiles(target);
  if (missing.some(({ key }) => !moved.missing.includes(key))) return moved;
  await rememberStore(postgres(), to);
  return { ...moved, status: "moved" };
}

async function copy(file: NamedFile, target: FileStore, moved: MovedFiles): Promise<void> {
  const there = await target.size(file.key);
  if (there === file.size_bytes) {
    moved.there_before += 1;
    return;
  }
  if (there !== null) await target.delete(file.key);
  try {
    const stored = await target.put(file.key, await fileStore().read(file.key), {
      maxBytes: file.size_bytes,
    });
    if (stored.sha256 !== file.sha256 || stored.sizeBytes !== file.size_bytes) {
      await target.delete(file.key);
      throw new ServiceError(
        "CONFLICT",
        `${file.key} is not what its row says. Restore it from a backup, or delete it, and call ` +
          "again.",
      );
    }
    moved.copied += 1;
    moved.bytes += file.size_bytes;
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    moved.missing.push(file.key);
  }
}
