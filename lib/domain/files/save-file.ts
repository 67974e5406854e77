import "server-only";
import mime from "mime-types";
import { removeBytes, reserveStorage, type StoredBytes } from "@/lib/domain/blobs/stored-bytes";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { requireRoom } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { lockWorkspace } from "@/lib/domain/workspaces/workspace-record";
import { ServiceError } from "@/lib/model/errors";
import { newId } from "@/lib/platform/ids";
import { type Transaction, transaction, withinAccount } from "@/lib/platform/postgres";
import type { WorkspaceFile } from "@/lib/storage/generated/client";

export interface SavedFile {
  file: WorkspaceFile;
  /** Whether a file of this path was replaced. */
  replaced: boolean;
}

/**
 * Makes stored bytes a workspace's file under a checked path; the same path again replaces the
 * file. When it rejects, the bytes are gone too.
 * @param file.countsAsWrite false for a run's own writes
 * @param file.uploadId the upload whose reservation ends as its bytes are counted
 * @param file.stepKey the run and its tool call that write it
 * @param file.replaces the version (its storage key) that it was made of: another one by now is a
 * CONFLICT
 * @throws ServiceError WORKSPACE_NOT_FOUND, PAYLOAD_TOO_LARGE (the account's limit), CONFLICT (too
 * many files, or changed meanwhile), RATE_LIMITED
 */
export async function commitFile(
  principal: Principal,
  workspaceId: string,
  file: {
    path: string;
    contentType: string | null;
    stored: StoredBytes;
    countsAsWrite: boolean;
    uploadId?: string;
    stepKey?: string;
    replaces?: string;
  },
): Promise<SavedFile> {
  const { stored, path } = file;
  try {
    const contentType = file.contentType || mime.lookup(path) || "application/octet-stream";
    const commit = async (tx: Transaction) => {
      if (file.countsAsWrite) await consumeWriteQuota(tx, principal);
      const inserted = await insertFile(tx, {
        accountId: principal.accountId,
        workspaceId,
        path,
        contentType,
        stepKey: file.stepKey ?? null,
        replaces: file.replaces ?? null,
        ...stored,
      });
      if (file.uploadId)
        await tx.query("DELETE FROM uploads WHERE id = $1 AND account_id = $2", [
          file.uploadId,
          principal.accountId,
        ]);
      return inserted;
    };
    const { saved, replacedKey } = await withinAccount(principal.accountId, () =>
      transaction(commit),
    );
    if (replacedKey) await removeBytes(replacedKey);
    return { file: saved, replaced: replacedKey !== null };
  } catch (error) {
    await removeBytes(stored.storageKey);
    throw error;
  }
}

interface NewRow {
  accountId: string;
  workspaceId: string;
  path: string;
  contentType: string;
  storageKey: string;
  sizeBytes: number;
  sha256: string;
  stepKey: string | null;
  replaces: string | null;
}

async function insertFile(
  tx: Transaction,
  row: NewRow,
): Promise<{ saved: WorkspaceFile; replacedKey: string | null }> {
  await lockWorkspace(tx, row, row.workspaceId);
  const old = await tx.query<{ size_bytes: string; storage_key: string }>(
    `SELECT size_bytes, storage_key FROM workspace_files WHERE workspace_id = $1 AND path = $2
     FOR UPDATE`,
    [row.workspaceId, row.path],
  );
  if (row.replaces !== null && old.rows[0]?.storage_key !== row.replaces)
    throw new ServiceError(
      "CONFLICT",
      "The file was changed meanwhile. Nothing was stored; read it again first.",
    );
  const { rows } = await tx.query<Omit<WorkspaceFile, "sizeBytes">>(
    `INSERT INTO workspace_files (id, account_id, workspace_id, path, size_bytes, content_type,
       sha256, storage_key, step_key, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())
     ON CONFLICT (workspace_id, path) DO UPDATE SET size_bytes = $5, content_type = $6, sha256 = $7,
       storage_key = $8, step_key = $9, updated_at = now()
     RETURNING id, account_id AS "accountId", workspace_id AS "workspaceId", path,
       content_type AS "contentType", sha256,
       storage_key AS "storageKey", step_key AS "stepKey", created_at AS "createdAt",
       updated_at AS "updatedAt"`,
    [
      newId(),
      row.accountId,
      row.workspaceId,
      row.path,
      row.sizeBytes,
      row.contentType,
      row.sha256,
      row.storageKey,
      row.stepKey,
    ],
  );
  const [saved] = rows;
  if (!saved) throw new Error("the file's row was not stored");
  if (!old.rows[0]) await requireRoom(tx, row.accountId, "files");
  // The account's row last, as everybody does.
  await reserveStorage(
    tx,
    row.accountId,
    BigInt(row.sizeBytes) - BigInt(old.rows[0]?.size_bytes ?? 0),
  );
  return {
    saved: { ...saved, sizeBytes: BigInt(row.sizeBytes) },
    replacedKey: old.rows[0]?.storage_key ?? null,
  };
}
