import "server-only";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { requireFile } from "@/lib/domain/files/require-file";
import type { Principal } from "@/lib/domain/principal";

/** A file of the account, ready to be streamed. @throws ServiceError WORKSPACE_NOT_FOUND, FILE_NOT_FOUND */
export async function openFile(principal: Principal, workspaceId: string, fileId: string) {
  const file = await requireFile(principal, workspaceId, fileId);
  return {
    name: file.path.slice(file.path.lastIndexOf("/") + 1),
    contentType: file.contentType,
    sizeBytes: Number(file.sizeBytes),
    sha256: file.sha256,
    open: (range?: { start: number; end: number }) => fileStore().read(file.storageKey, range),
  };
}
