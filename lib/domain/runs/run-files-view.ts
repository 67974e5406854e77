import "server-only";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { findRunFile, pageOfRunFiles, type RunFile } from "@/lib/domain/files/run-files";
import type { Page, PageRequest } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { getRun } from "@/lib/domain/runs/run-view";
import { ServiceError } from "@/lib/model/errors";
import { pathInRun } from "@/lib/model/run/run-file-path";

/** The files that a run has made, newest first. @throws ServiceError RUN_NOT_FOUND */
export async function listFilesOfRun(
  principal: Principal,
  runId: string,
  page: PageRequest,
): Promise<Page<RunFile>> {
  const { id, accountId } = await getRun(principal, runId);
  return pageOfRunFiles({ id, accountId }, page);
}

/**
 * A file of a run, ready to be streamed.
 * @param path as it is listed, or as tools name it (`run:` before it)
 * @throws ServiceError RUN_NOT_FOUND, FILE_NOT_FOUND
 */
export async function openFileOfRun(principal: Principal, runId: string, path: string) {
  const { id, accountId } = await getRun(principal, runId);
  const file = await findRunFile({ id, accountId }, pathInRun(path) ?? path);
  if (!file) throw new ServiceError("FILE_NOT_FOUND", "The run has no file of this path.");
  return {
    name: file.path.slice(file.path.lastIndexOf("/") + 1),
    contentType: file.contentType,
    sizeBytes: file.sizeBytes,
    sha256: file.sha256,
    open: (range?: { start: number; end: number }) => fileStore().read(file.storageKey, range),
  };
}
