import "server-only";
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import {
  FileMissing,
  type FileStore,
  type ListedFile,
  measureChunks,
  requireFileKey,
} from "@/lib/storage/files/file-store";
export type S3Settings = {
  bucket: string;
  /** Empty: the region's own. */
  endpoint: string;
  region: string;
  /** Empty, both: the credentials of the machine. */
  accessKeyId: string;
  secretAccessKey: string;
  forcePathStyle: boolean;
};

/** The least that S3 takes as a part; with two on their way an upload holds at most 10 MiB. */
const PART_BYTES = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
const DELETES_AT_ONCE = 8;

/**
 * Files in a bucket of S3 or of anything that speaks its protocol. An object appears only when its
 * upload is complete; the parts of one that broke off are taken back, and those of a process that
 * died by `sweepUnfinished`.
 */
export function createS3FileStore(settings: S3Settings): FileStore {
  const client = createClient(settings);
  const { bucket: Bucket } = settings;
  const remove = async (key: string) =>
    void (await client.send(new DeleteObjectCommand({ Bucket, Key: requireFileKey(key) })));
  return {
    close: () => client.destroy(),
    put: async (key, source, options) => {
      const measured = measureChunks(source, options);
      const Body = Readable.from(measured.chunks, { objectMode: false });
      const params = { Bucket, Key: requireFileKey(key), Body };
      const upload = new Upload({
        client,
        params,
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
        leavePartsOnError: false,
      });
      try {
        await upload.done();
        options.signal?.throwIfAborted();
        return measured.result();
      } catch (error) {
        Body.destroy();
        await measured.chunks.return();
        if (options.signal?.aborted) await remove(key);
        const fault = measured.fault();
        throw fault === null ? error : fault.error;
      }
    },
    read: async (key, range) => {
      const Range = range && `bytes=${range.start}-${range.end ?? ""}`;
      const { Body, ContentRange } = await client
        .send(new GetObjectCommand({ Bucket, Key: requireFileKey(key), Range }))
        .catch(toMissing);
      if (Body === undefined) throw new FileMissing();
      // The SDK leaves the chunks of the stream untyped; they are bytes.
      const stream = Body.transformToWebStream() as ReadableStream<Uint8Array>;
      if (range === undefined) return stream;
      // Not every server heeds every range: some send the whole file, or more than was asked for.
      const from = Number(/^bytes (\d+)-/.exec(ContentRange ?? "")?.[1] ?? 0);
      return cutOut(stream, range.start - from, (range.end ?? Number.POSITIVE_INFINITY) - from);
    },
    delete: remove,
    deletePrefix: async (prefix) => {
      const Prefix = `${requireFileKey(prefix)}/`;
      for await (const keys of listKeys(client, Bucket, Prefix)) {
        for (let at = 0; at < keys.length; at += DELETES_AT_ONCE)
          await Promise.all(keys.slice(at, at + DELETES_AT_ONCE).map(remove));
      }
    },
    size: async (key) => {
      const head = await client
        .send(new HeadObjectCommand({ Bucket, Key: requireFileKey(key) }))
        .catch(toMissing)
        .catch(orNull);
      return head === null ? null : (head.ContentLength ?? 0);
    },
    list: (after) => listAll(client, Bucket, after),
    identity: async () => `s3:${settings.endpoint.replace(/\/$/, "")}/${Bucket}`,
    sweepUnfinished: (before) => sweep(client, Bucket, before),
    freeBytes: async () => null,
  };
}

function createClient(settings: S3Settings): S3Client {
  const { accessKeyId, secretAccessKey } = settings;
  return new S3Client({
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    ...(settings.endpoint !== "" && { endpoint: settings.endpoint }),
    ...(accessKeyId !== "" && { credentials: { accessKeyId, secretAccessKey } }),
    // The newer checksums by default break many servers that speak the protocol; ours is computed
    // and kept anyway.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}

function orNull(error: unknown): null {
  if (error instanceof FileMissing) return null;
  throw error;
}

async function* listAll(
  client: S3Client,
  Bucket: string,
  after: string,
): AsyncGenerator<ListedFile[]> {
  for (let StartAfter = after; ; ) {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket, MaxKeys: 1000, ...(StartAfter !== "" && { StartAfter }) }),
    );
    const found = page.Contents ?? [];
    const files = found.flatMap(({ Key, Size, LastModified }) =>
      Key === undefined
        ? []
        : [{ key: Key, sizeBytes: Size ?? 0, storedAt: LastModified ?? new Date() }],
    );
    if (files.length > 0) yield files;
    const last = files.at(-1)?.key;
    if (page.IsTruncated !== true || last === undefined) return;
    StartAfter = last;
  }
}

/**
 * One page after the other. Each asks from the start: what was listed before has been deleted
 * since.
 */
async function* listKeys(
  client: S3Client,
  Bucket: string,
  Prefix: string,
): AsyncGenerator<string[]> {
  while (true) {
    const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1000 }));
    const keys = (page.Contents ?? []).flatMap((object) =>
      object.Key === undefined ? [] : [object.Key],
    );
    if (keys.length === 0) return;
    yield keys;
    if (page.IsTruncated !== true) return;
  }
}

async function sweep(client: S3Client, Bucket: string, before: Date): Promise<number> {
  let swept = 0;
  let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
  while (true) {
    const page = await client.send(new ListMultipartUploadsCommand({ Bucket, ...marker }));
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (
        Key === undefined ||
        UploadId === undefined ||
        Initiated === undefined ||
        Initiated >= before
      )
        continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => {});
      swept += 1;
    }
    if (page.IsTruncated !== true) return swept;
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}

function toMissing(error: unknown): never {
  // A bucket that is not there is the operator's mistake: no file may be taken for lost because of
  // it.
  throw error instanceof S3ServiceException &&
    error.$metadata.httpStatusCode === 404 &&
    error.name !== "NoSuchBucket"
    ? new FileMissing()
    : error;
}

function cutOut(
  stream: ReadableStream<Uint8Array>,
  start: number,
  end: number,
): ReadableStream<Uint8Array> {
  let at = 0;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      const piece = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
      at += chunk.byteLength;
      if (piece.byteLength > 0) controller.enqueue(piece);
      if (at > end) controller.terminate();
    },
  });
  return stream.pipeThrough(cut);
}
