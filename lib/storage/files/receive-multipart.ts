import "server-only";
import type { Readable } from "node:stream";
import busboy, { type Busboy, type FileInfo } from "busboy";
import { FileTooLarge } from "@/lib/storage/files/file-store";

/**
 * The form is not one that an upload may have, or it broke off. `message` is for the person who
 * sent it.
 */
export class UploadInvalid extends Error {
  override readonly name = "UploadInvalid";
}

export type UploadedPart = {
  chunks: AsyncIterable<Uint8Array>;
  /** The name the client gave, without folders; null when it gave none. */
  filename: string | null;
  contentType: string;
};

export type ReceivedUpload<T> = {
  stored: T;
  filename: string | null;
  contentType: string;
  path: string | null;
};

export type MultipartOptions<T> = {
  body: ReadableStream<Uint8Array>;
  /** The request's `Content-Type`, boundary included. */
  contentType: string;
  maxBytes: number;
  /** Reads the part's chunks into the store. Its rejection becomes that of the whole. */
  store: (part: UploadedPart) => Promise<T>;
  /** Undoes `store` when the rest of the form turns out wrong. */
  discard: (stored: T) => Promise<void>;
};

const PATH_MAX_BYTES = 4096;
/** What the form may have besides the file: boundaries, part headers, the path. */
const OVERHEAD_MAX_BYTES = 65_536;

/**
 * Reads `multipart/form-data` with exactly one file in the field `file` and at most one text in the
 * field `path`, in either order. The file is handed to `store` while it arrives, and the client is
 * read no faster than that takes it. When this rejects, nothing is stored: either `store` has
 * cleaned up itself or `discard` has been called. busboy tells parts apart; that there is one file,
 * and that the client waits for it, is nothing that a package does.
 *
 * @throws UploadInvalid; FileTooLarge; whatever `store` or the body rejects with
 */
export async function receiveMultipart<T>(
  options: MultipartOptions<T>,
): Promise<ReceivedUpload<T>> {
  const form = listen(createParser(options.contentType), options);
  const fed = await feed(form, options).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  // Whatever went wrong, the store is given the time to end and to clean up.
  const [stored] = await Promise.allSettled([form.storing()]);
  if (fed === null && stored.status === "fulfilled" && stored.value !== null)
    return { ...stored.value, path: form.path() };
  if (stored.status === "fulfilled" && stored.value !== null)
    await options.discard(stored.value.stored);
  if (fed !== null) throw fed.error;
  throw stored.status === "rejected"
    ? stored.reason
    : new UploadInvalid('The form must hold a file in the field "file".');
}

type Form<T> = {
  parser: Busboy;
  /** Rejects with the first fault of the form or of the store. */
  fault: Promise<never>;
  storing: () => Promise<Omit<ReceivedUpload<T>, "path"> | null>;
  path: () => string | null;
};

function createParser(contentType: string): Busboy {
  if (!/^multipart\/form-data\s*;/i.test(contentType))
    throw new UploadInvalid("The upload must be multipart/form-data.");
  const limits = {
    files: 2,
    fields: 2,
    parts: 4,
    headerPairs: 20,
    fieldNameSize: 100,
    fieldSize: PATH_MAX_BYTES,
  };
  try {
    return busboy({ headers: { "content-type": contentType }, limits, defParamCharset: "utf8" });
  } catch {
    throw new UploadInvalid("The Content-Type of the upload must name a boundary.");
  }
}

function listen<T>(parser: Busboy, { store }: MultipartOptions<T>): Form<T> {
  let fail: (error: unknown) => void = () => {};
  const fault = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Whoever waits sees it; nobody may be waiting just then.
  fault.catch(() => {});
  let storing: Promise<Omit<ReceivedUpload<T>, "path">> | null = null;
  let path: string | null = null;
  parser.on("file", (name: string | undefined, stream: Readable, info: Partial<FileInfo>) => {
    // It may be destroyed before the store begins to read; without a listener that would end the
    // process.
    stream.on("error", () => {});
    if (name !== "file" || storing !== null) {
      stream.resume();
      return fail(new UploadInvalid('The form must hold one file, in the field "file".'));
    }
    const part = {
      filename: info.filename || null,
      contentType: info.mimeType || "application/octet-stream",
    };
    storing = store({ ...part, chunks: stream }).then((stored) => ({ ...part, stored }));
    storing.catch(fail);
  });
  parser.on("field", (name, value, info) => {
    if (name !== "path" || path !== null)
      return fail(
        new UploadInvalid('Besides the file the form may hold one text, in the field "path".'),
      );
    if (info.valueTruncated) return fail(new UploadInvalid("The path is too long."));
    path = value;
  });
  for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const) {
    parser.on(limit, () => fail(new UploadInvalid("The form has too many parts.")));
  }
  parser.on("error", () => fail(new UploadInvalid("The form is malformed or broke off.")));
  return { parser, fault, storing: async () => storing, path: () => path };
}

async function feed<T>(
  { parser, fault }: Form<T>,
  { body, maxBytes }: MultipartOptions<T>,
): Promise<void> {
  const reader = body.getReader();
  const ended = new Promise<void>((resolve) => parser.once("close", resolve));
  let left = maxBytes + OVERHEAD_MAX_BYTES;
  try {
    while (true) {
      const next = await Promise.race([reader.read(), fault]);
      if (next.done) break;
      left -= next.value.byteLength;
      if (left < 0) throw new FileTooLarge(maxBytes);
      if (!parser.write(next.value))
        await Promise.race([new Promise((resolve) => parser.once("drain", resolve)), fault]);
    }
    parser.end();
    // The fault first: it may have come with the very last bytes, right before the end.
    await Promise.race([fault, ended]);
  } catch (error) {
    // Not awaited: a client that is stuck would hold the answer up.
    reader.cancel(error).catch(() => {});
    parser.destroy(
      error instanceof Error ? error : new Error("the body broke off", { cause: error }),
    );
    throw error;
  }
}
