import "server-only";
import { withUpload } from "@/lib/domain/blobs/with-upload";
import type { Principal } from "@/lib/domain/principal";
import type { SkillPackage } from "@/lib/domain/skills/install-skill";
import { workOnRequest } from "@/lib/domain/work-on-request";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import {
  readSkillZip,
  SKILL_ZIP_MAX_BYTES,
  SkillZipRefused,
} from "@/lib/runtime/skills/read-skill-zip";
import { FileTooLarge } from "@/lib/storage/files/file-store";
import { receiveMultipart, UploadInvalid } from "@/lib/storage/files/receive-multipart";

// Its files take of the account's space only once they are unpacked; until then its bytes lie in
// memory, and so it counts among the uploads under way.
const NO_SPACE = { mostBytes: 0, leastBytes: 0, replacedBytes: async () => 0 };

export interface SkillUpload {
  body: ReadableStream<Uint8Array> | null;
  /** The request's media type, with its boundary. */
  contentType: string;
}

/**
 * Reads an uploaded zip, the field `file` of a form; never more than 5 MiB of it into memory.
 * @throws ServiceError INVALID_INPUT; PAYLOAD_TOO_LARGE over 5 MiB packed or 20 MiB unpacked;
 * RATE_LIMITED, SERVICE_UNAVAILABLE (see `withUpload`)
 */
export async function receiveSkillZip(
  principal: Principal,
  upload: SkillUpload,
): Promise<SkillPackage> {
  const { body } = upload;
  if (!body) throw invalidInput("file", "The upload has no body.");
  const parse = (content: string) =>
    workOnRequest("read-skill", content, { account: principal.accountId, field: "file" });
  return withUpload(principal, NO_SPACE, () => readUpload({ ...upload, body }, parse));
}

async function readUpload(
  upload: SkillUpload & { body: ReadableStream<Uint8Array> },
  parse: Parameters<typeof readSkillZip>[1],
): Promise<SkillPackage> {
  try {
    const received = await receiveMultipart<Buffer>({
      body: upload.body,
      contentType: upload.contentType,
      maxBytes: SKILL_ZIP_MAX_BYTES,
      store: (part) => collect(part.chunks),
      discard: async () => {},
    });
    if (received.path !== null)
      throw invalidInput("path", "is no field of this form: it holds the field file alone");
    return await readSkillZip(received.stored, parse);
  } catch (error) {
    if (error instanceof FileTooLarge)
      throw tooLarge(`A zip has at most ${SKILL_ZIP_MAX_BYTES} bytes. Nothing was stored.`);
    if (error instanceof SkillZipRefused)
      throw error.isTooLarge ? tooLarge(error.message) : invalidInput("file", error.message);
    if (error instanceof UploadInvalid) throw invalidInput("file", error.message);
    throw error;
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > SKILL_ZIP_MAX_BYTES) throw new FileTooLarge(SKILL_ZIP_MAX_BYTES);
    kept.push(chunk);
  }
  return Buffer.concat(kept, size);
}

function tooLarge(message: string): ServiceError {
  return new ServiceError("PAYLOAD_TOO_LARGE", message);
}
