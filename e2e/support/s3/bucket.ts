import { createHash, randomUUID } from "node:crypto";
import { S3Error } from "./s3-error";

export interface StoredObject {
  key: string;
  bytes: Buffer;
  /** In its quotation marks. */
  etag: string;
  storedAt: Date;
}

export interface MultipartUpload {
  key: string;
  uploadId: string;
  startedAt: Date;
  parts: Map<number, { bytes: Buffer; etag: string }>;
}

export interface NamedPart {
  partNumber: number;
  etag: string;
}

const PART_LEAST_BYTES = 5 * 1024 * 1024;
const PART_NUMBER_MAX = 10_000;
const KEY_BYTES_MAX = 1024;

/** The objects of one bucket and its uploads in parts, in memory. */
export class Bucket {
  readonly #objects = new Map<string, StoredObject>();
  readonly #uploads = new Map<string, MultipartUpload>();

  /** In the order of their keys' bytes, as S3 lists them. */
  objects(): StoredObject[] {
    return [...this.#objects.values()].sort((a, b) => compareBytes(a.key, b.key));
  }

  /** By key, and of one key by when they began. */
  uploads(): MultipartUpload[] {
    return [...this.#uploads.values()].sort(
      (a, b) => compareBytes(a.key, b.key) || a.startedAt.getTime() - b.startedAt.getTime(),
    );
  }

  /** @throws {S3Error} `NoSuchKey`. */
  get(key: string): StoredObject {
    const object = this.#objects.get(key);
    if (object === undefined) throw new S3Error("NoSuchKey", "The specified key does not exist.");
    return object;
  }

  /** @throws {S3Error} `KeyTooLongError`. */
  put(key: string, bytes: Buffer, etag = `"${md5(bytes).toString("hex")}"`): StoredObject {
    requireKey(key);
    const object = { key, bytes, etag, storedAt: new Date() };
    this.#objects.set(key, object);
    return object;
  }

  /** One that is not there is deleted as well. */
  delete(key: string): void {
    this.#objects.delete(key);
  }

  /** @throws {S3Error} `KeyTooLongError`. */
  beginUpload(key: string): MultipartUpload {
    requireKey(key);
    const upload = { key, uploadId: randomUUID(), startedAt: new Date(), parts: new Map() };
    this.#uploads.set(upload.uploadId, upload);
    return upload;
  }

  /** Returns the part's ETag. @throws {S3Error} `NoSuchUpload`, `InvalidArgument`. */
  putPart(key: string, uploadId: string, partNumber: number, bytes: Buffer): string {
    const upload = this.#requireUpload(key, uploadId);
    if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > PART_NUMBER_MAX)
      throw new S3Error(
        "InvalidArgument",
        `Part number must be an integer between 1 and ${PART_NUMBER_MAX}, inclusive`,
      );
    const etag = `"${md5(bytes).toString("hex")}"`;
    upload.parts.set(partNumber, { bytes, etag });
    return etag;
  }

  /**
   * Makes an object of the parts that are named, and forgets the upload with all that are not.
   * @throws {S3Error} `NoSuchUpload`, `InvalidPartOrder`, `InvalidPart`, `EntityTooSmall`.
   */
  completeUpload(key: string, uploadId: string, named: NamedPart[]): StoredObject {
    const upload = this.#requireUpload(key, uploadId);
    if (named.some(({ partNumber }, at) => partNumber <= (named[at - 1]?.partNumber ?? 0)))
      throw new S3Error(
        "InvalidPartOrder",
        "The list of parts was not in ascending order. Parts must be ordered by part number.",
      );
    const parts = named.map(({ partNumber, etag }, at) => {
      const part = upload.parts.get(partNumber);
      if (part === undefined || part.etag !== etag)
        throw new S3Error("InvalidPart", "One or more of the specified parts could not be found.");
      if (at < named.length - 1 && part.bytes.byteLength < PART_LEAST_BYTES)
        throw new S3Error(
          "EntityTooSmall",
          "Your proposed upload is smaller than the minimum allowed size",
        );
      return part.bytes;
    });
    this.#uploads.delete(uploadId);
    const digest = md5(Buffer.concat(parts.map(md5))).toString("hex");
    return this.put(key, Buffer.concat(parts), `"${digest}-${parts.length}"`);
  }

  /** @throws {S3Error} `NoSuchUpload`. */
  abortUpload(key: string, uploadId: string): void {
    this.#requireUpload(key, uploadId);
    this.#uploads.delete(uploadId);
  }

  #requireUpload(key: string, uploadId: string): MultipartUpload {
    const upload = this.#uploads.get(uploadId);
    if (upload === undefined || upload.key !== key)
      throw new S3Error(
        "NoSuchUpload",
        "The specified multipart upload does not exist. It might have been aborted or completed.",
      );
    return upload;
  }
}

function requireKey(key: string): void {
  if (Buffer.byteLength(key) > KEY_BYTES_MAX)
    throw new S3Error("KeyTooLongError", "Your key is too long");
}

/** In the order of their bytes in UTF-8. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function md5(bytes: Buffer): Buffer {
  return createHash("md5").update(bytes).digest();
}
