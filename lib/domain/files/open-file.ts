import "server-only";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import type { Principal } from "@/lib/domain/principal";
import { requireWorkspace } from "@/lib/domain/workspaces/workspace-record";
import { ServiceError } from "@/lib/model/errors";
import type { WorkspaceFile } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/**
 * A file of the account, ready to be streamed. @throws ServiceError WORKSPACE_NOT_FOUND,
 * FILE_NOT_FOUND
 */
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

/** A file of the account's workspace. @throws ServiceError WORKSPACE_NOT_FOUND, FILE_NOT_FOUND */
export async function requireFile(
  principal: Principal,
  workspaceId: string,
  fileId: string,
): Promise<WorkspaceFile> {
  await requireWorkspace(principal, workspaceId);
  const file = await prisma().workspaceFile.findFirst({
    where: { id: fileId, workspaceId, accountId: principal.accountId },
  });
  if (!file) throw new ServiceError("FILE_NOT_FOUND", "There is no such file in this workspace.");
  return file;
}
