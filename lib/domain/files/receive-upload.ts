import "server-only";
import { commitFile, fileTooLarge, removeBytes, type SavedFile, type StoredBytes, storeBytes } from "@/lib/domain/files/save-file";
import type { Principal } from "@/lib/domain/principal";
import { requireWorkspace } from "@/lib/domain/workspaces/require-workspace";
import { env } from "@/lib/env";
import { invalidInput } from "@/lib/model/errors";
import { checkFilePath } from "@/lib/model/file-path";
import { FileTooLarge } from "@/lib/storage/files/file-errors";
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
 * Takes an upload into a workspace: a form with the field `file`, or raw bytes for `path`. Streams to the store; leaves nothing when it is refused or breaks off.
 * @throws ServiceError WORKSPACE_NOT_FOUND, INVALID_INPUT, PAYLOAD_TOO_LARGE, RATE_LIMITED
 */
export async function receiveUpload(principal: Principal, workspaceId: string, upload: Upload): Promise<SavedFile> {
  if ((upload.contentLength ?? 0) > env().FILE_MAX_BYTES + FORM_OVERHEAD_BYTES) throw fileTooLarge();
  const isForm = /^multipart\/form-data\b/i.test(upload.contentType);
  const rawPath = isForm ? null : requirePath(upload.path);
  await requireWorkspace(principal, workspaceId);
  if (!upload.body) throw invalidInput("file", "The upload has no body.");
  try {
    if (rawPath === null) return await receiveForm(principal, workspaceId, { ...upload, body: upload.body });
    const stored = await storeBytes(principal.accountId, upload.body, upload.signal);
    return await commitFile(principal, workspaceId, {
      path: rawPath,
      contentType: rawType(upload.contentType),
      stored,
      countsAsWrite: true,
    });
  } catch (error) {
    if (error instanceof UploadInvalid) throw invalidInput("file", error.message);
    if (error instanceof FileTooLarge) throw fileTooLarge();
    throw error;
  }
}

async function receiveForm(
  principal: Principal,
  workspaceId: string,
  upload: Upload & { body: ReadableStream<Uint8Array> },
): Promise<SavedFile> {
  const received = await receiveMultipart<StoredBytes>({
    body: upload.body,
    contentType: upload.contentType,
    maxBytes: env().FILE_MAX_BYTES,
    store: (part) => storeBytes(principal.accountId, part.chunks, upload.signal),
    discard: (stored) => removeBytes(stored.storageKey),
  });
  const path = checkFilePath(received.path ?? upload.path ?? received.filename ?? "");
  if (!path.ok) {
    await removeBytes(received.stored.storageKey);
    throw invalidInput("path", path.message);
  }
  const contentType = received.contentType === "application/octet-stream" ? null : received.contentType;
  return commitFile(principal, workspaceId, { path: path.path, contentType, stored: received.stored, countsAsWrite: true });
}

function requirePath(text: string | null): string {
  if (text === null) throw invalidInput("path", "A raw upload needs ?path=; or send multipart/form-data with the field file.");
  const checked = checkFilePath(text);
  if (!checked.ok) throw invalidInput("path", checked.message);
  return checked.path;
}

/** The media type that the client gave its bytes; none for the general ones. */
function rawType(header: string): string | null {
  const type = header.split(";")[0]?.trim().toLowerCase() ?? "";
  return type === "" || type === "application/octet-stream" || type === "application/x-www-form-urlencoded" ? null : type;
}
