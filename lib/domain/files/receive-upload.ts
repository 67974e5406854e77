import "server-only";
import {
  fileTooLarge,
  removeBytes,
  type StoredBytes,
  spaceExceeded,
  storeBytes,
} from "@/lib/domain/blobs/stored-bytes";
import {
  type UploadRequest,
  type UploadUnderWay,
  withUpload,
} from "@/lib/domain/blobs/with-upload";
import { commitFile, type SavedFile } from "@/lib/domain/files/save-file";
import type { Principal } from "@/lib/domain/principal";
import { requireWorkspace } from "@/lib/domain/workspaces/workspace-record";
import { env } from "@/lib/env";
import { invalidInput } from "@/lib/model/errors";
import { checkFilePath } from "@/lib/model/file-path";
import { postgres } from "@/lib/platform/postgres";
import { FileTooLarge } from "@/lib/storage/files/file-store";
import { receiveMultipart, UploadInvalid } from "@/lib/storage/files/receive-multipart";

export interface Upload {
  body: ReadableStream<Uint8Array> | null;
  /** The request's media type, with its parameters. */
  contentType: string;
  /** For a raw body: the file's path. */
  path: string | null;
  /** As announced; null when the request does not say. */
  contentLength: number | null;
  signal: AbortSignal;
}

const FORM_OVERHEAD_BYTES = 65_536;

/**
 * Takes an upload into a workspace: a form with the field `file`, or raw bytes for `path`. Streams
 * to the store; leaves nothing when it is refused or breaks off. What can be refused by its headers
 * is, before a byte is read.
 * @throws ServiceError WORKSPACE_NOT_FOUND, INVALID_INPUT, PAYLOAD_TOO_LARGE, CONFLICT (too many
 * files), RATE_LIMITED, SERVICE_UNAVAILABLE (the disk)
 */
export async function receiveUpload(
  principal: Principal,
  workspaceId: string,
  upload: Upload,
): Promise<SavedFile> {
  const limit = env().FILE_MAX_BYTES;
  const isForm = /^multipart\/form-data\b/i.test(upload.contentType);
  const leastBytes = Math.max(0, (upload.contentLength ?? 0) - (isForm ? FORM_OVERHEAD_BYTES : 0));
  if (leastBytes > limit) throw fileTooLarge();
  const rawPath = isForm ? null : requirePath(upload.path);
  await requireWorkspace(principal, workspaceId);
  if (!upload.body) throw invalidInput("file", "The upload has no body.");
  const opened = { ...upload, body: upload.body };
  const reservation: UploadRequest = {
    mostBytes: Math.min(upload.contentLength ?? limit, limit),
    leastBytes,
    replacedBytes: () => bytesOfReplaced(principal, workspaceId, rawPath),
  };
  return withUpload(principal, reservation, async (underWay) => {
    try {
      return rawPath === null
        ? await receiveForm(principal, workspaceId, opened, underWay)
        : await receiveRaw(principal, workspaceId, rawPath, opened, underWay);
    } catch (error) {
      if (error instanceof UploadInvalid) throw invalidInput("file", error.message);
      if (error instanceof FileTooLarge)
        throw underWay.maxBytes < limit ? spaceExceeded() : fileTooLarge();
      throw error;
    }
  });
}

/** A form names its file only on the way, so it may replace any one of the workspace. */
async function bytesOfReplaced(
  { accountId }: Principal,
  workspaceId: string,
  path: string | null,
): Promise<number> {
  const { rows } = await postgres().query<{ bytes: string | null }>(
    `SELECT max(size_bytes) AS bytes FROM workspace_files WHERE workspace_id = $1
       AND account_id = $2 AND ($3::text IS NULL OR path = $3)`,
    [workspaceId, accountId, path],
  );
  return Number(rows[0]?.bytes ?? 0);
}

type OpenUpload = Upload & { body: ReadableStream<Uint8Array> };

async function receiveRaw(
  principal: Principal,
  workspaceId: string,
  path: string,
  upload: OpenUpload,
  { id, maxBytes }: UploadUnderWay,
): Promise<SavedFile> {
  const stored = await storeBytes(principal.accountId, upload.body, upload.signal, maxBytes);
  return commitFile(principal, workspaceId, {
    path,
    contentType: rawType(upload.contentType),
    stored,
    countsAsWrite: true,
    uploadId: id,
  });
}

async function receiveForm(
  principal: Principal,
  workspaceId: string,
  upload: OpenUpload,
  { id, maxBytes }: UploadUnderWay,
): Promise<SavedFile> {
  const received = await receiveMultipart<StoredBytes>({
    body: upload.body,
    contentType: upload.contentType,
    maxBytes,
    store: (part) => storeBytes(principal.accountId, part.chunks, upload.signal, maxBytes),
    discard: (stored) => removeBytes(stored.storageKey),
  });
  const path = checkFilePath(received.path ?? upload.path ?? received.filename ?? "");
  if (!path.ok) {
    await removeBytes(received.stored.storageKey);
    throw invalidInput("path", path.message);
  }
  const contentType =
    received.contentType === "application/octet-stream" ? null : received.contentType;
  return commitFile(principal, workspaceId, {
    path: path.path,
    contentType,
    stored: received.stored,
    countsAsWrite: true,
    uploadId: id,
  });
}

function requirePath(text: string | null): string {
  if (text === null)
    throw invalidInput(
      "path",
      "A raw upload needs ?path=; or send multipart/form-data with the field file.",
    );
  const checked = checkFilePath(text);
  if (!checked.ok) throw invalidInput("path", checked.message);
  return checked.path;
}

/** The media type that the client gave its bytes; none for the general ones. */
function rawType(header: string): string | null {
  const type = header.split(";")[0]?.trim().toLowerCase() ?? "";
  return type === "" ||
    type === "application/octet-stream" ||
    type === "application/x-www-form-urlencoded"
    ? null
    : type;
}
