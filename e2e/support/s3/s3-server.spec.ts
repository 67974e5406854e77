import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { expect, test } from "@playwright/test";
import { type S3Server, startS3Server } from "./s3-server";

type UploadMarker = Pick<ListMultipartUploadsCommandInput, "KeyMarker" | "UploadIdMarker">;

const PART_BYTES = 5 * 1024 * 1024;

let server: S3Server;
test.beforeEach(async () => {
  server = await startS3Server({ pageMax: 2 });
});
test.afterEach(() => server.stop());

function clientOf(more: S3ClientConfig = {}): S3Client {
  return new S3Client({
    ...server.settings,
    credentials: server.settings,
    maxAttempts: 1,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...more,
  });
}

const at = (Key: string) => ({ Bucket: server.settings.bucket, Key });
const refused = (code: string, status: number) => ({
  name: code,
  $metadata: { httpStatusCode: status },
});

test("a client with another secret, key or region gets nothing in, and learns why", async () => {
  const put = new PutObjectCommand({ ...at("a/b"), Body: "text" });
  const { settings } = server;
  const refusals: [S3ClientConfig, string, number][] = [
    [{ credentials: { ...settings, secretAccessKey: "other" } }, "SignatureDoesNotMatch", 403],
    [{ credentials: { ...settings, accessKeyId: "OTHER" } }, "InvalidAccessKeyId", 403],
    [{ region: "eu-west-1" }, "AuthorizationHeaderMalformed", 400],
  ];
  for (const [config, code, status] of refusals)
    await expect(clientOf(config).send(put)).rejects.toMatchObject(refused(code, status));
  const unsigned = await fetch(`${settings.endpoint}/${settings.bucket}/a/b`);
  expect([unsigned.status, unsigned.headers.get("content-type")]).toEqual([403, "application/xml"]);
  expect(await unsigned.text()).toContain("<Error><Code>AccessDenied</Code>");
  expect(server.countObjects()).toBe(0);
});

test("a body that is another one than was signed is not stored", async () => {
  const client = clientOf();
  client.middlewareStack.add(
    (next) => (args) => {
      // The request stands in the arguments from the signing on.
      (args as unknown as { request: { body: unknown } }).request.body = "text of a thief";
      return next(args);
    },
    { step: "finalizeRequest", priority: "low" },
  );
  await expect(
    client.send(new PutObjectCommand({ ...at("a"), Body: "text of an owner".slice(0, 15) })),
  ).rejects.toMatchObject(refused("XAmzContentSHA256Mismatch", 400));
  expect(server.countObjects()).toBe(0);
});

test("what the driver does not use is not implemented, not left out in silence", async () => {
  const client = clientOf();
  const calls = [
    () => client.send(new ListObjectsV2Command({ Bucket: at("").Bucket, Delimiter: "/" })),
    () => client.send(new PutObjectCommand({ ...at("a"), Body: "x", Metadata: { a: "b" } })),
    () => client.send(new GetObjectCommand({ ...at("a"), VersionId: "1" })),
  ];
  for (const call of calls)
    await expect(call()).rejects.toMatchObject(refused("NotImplemented", 501));
});

test("what is not there is told from a bucket that is not there", async () => {
  const client = clientOf();
  await expect(client.send(new GetObjectCommand(at("a")))).rejects.toMatchObject(
    refused("NoSuchKey", 404),
  );
  await expect(client.send(new HeadObjectCommand(at("a")))).rejects.toMatchObject(
    refused("NotFound", 404),
  );
  await expect(
    client.send(new GetObjectCommand({ ...at("a"), Bucket: "another" })),
  ).rejects.toMatchObject(refused("NoSuchBucket", 404));
});

test("a range is answered with its place, and one behind the end refused", async () => {
  const client = clientOf();
  await client.send(new PutObjectCommand({ ...at("a"), Body: "0123456789" }));
  const read = async (Range?: string) => {
    const { Body, ContentRange } = await client.send(new GetObjectCommand({ ...at("a"), Range }));
    return [await Body?.transformToString(), ContentRange];
  };
  expect(await read()).toEqual(["0123456789", undefined]);
  expect(await read("bytes=3-6")).toEqual(["3456", "bytes 3-6/10"]);
  expect(await read("bytes=8-20")).toEqual(["89", "bytes 8-9/10"]);
  expect(await read("bytes=-3")).toEqual(["789", "bytes 7-9/10"]);
  expect(await read("bytes=6-3")).toEqual(["0123456789", undefined]);
  await expect(read("bytes=10-")).rejects.toMatchObject(refused("InvalidRange", 416));
});

test("an upload in parts is an object of its parts alone, in order and large enough", async () => {
  const client = clientOf();
  const key = at('large <&"> one');
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(key));
  const bodies = [new Uint8Array(PART_BYTES), new Uint8Array(9).fill(1), new Uint8Array(7)];
  const parts = await Promise.all(
    bodies.map(async (Body, index) => {
      const part = { ...key, UploadId, PartNumber: index + 1, Body };
      const { ETag } = await client.send(new UploadPartCommand(part));
      return { ETag, PartNumber: part.PartNumber };
    }),
  );
  const [first, second, third] = parts;
  const complete = (Parts: unknown[], upload = UploadId) =>
    client.send(
      new CompleteMultipartUploadCommand({
        ...key,
        UploadId: upload,
        MultipartUpload: { Parts: Parts as typeof parts },
      }),
    );
  await expect(complete([second, first])).rejects.toMatchObject(refused("InvalidPartOrder", 400));
  await expect(complete([first, { ...second, ETag: '"0"' }])).rejects.toMatchObject(
    refused("InvalidPart", 400),
  );
  await expect(complete([first, second, third])).rejects.toMatchObject(
    refused("EntityTooSmall", 400),
  );
  await expect(complete([first], "another")).rejects.toMatchObject(refused("NoSuchUpload", 404));
  expect([server.countObjects(), server.countUploads()]).toEqual([0, 1]);
  expect((await complete([first, second])).ETag).toMatch(/^"[0-9a-f]{32}-2"$/);
  expect([server.countObjects(), server.countUploads()]).toEqual([1, 0]);
  const head = await client.send(new HeadObjectCommand(key));
  expect(head.ContentLength).toBe(PART_BYTES + 9);
  await expect(complete([first])).rejects.toMatchObject(refused("NoSuchUpload", 404));
});

test("listings come in the order of their keys, page by page, each thing once", async () => {
  const client = clientOf();
  const { bucket: Bucket } = server.settings;
  const keys = ["b", "a/2", "a/10", "ä", "a"];
  for (const key of keys) await client.send(new PutObjectCommand({ ...at(key), Body: key }));
  const listed: string[] = [];
  for (let StartAfter: string | undefined, more = true; more; StartAfter = listed.at(-1)) {
    const page = await client.send(new ListObjectsV2Command({ Bucket, StartAfter }));
    more = page.IsTruncated === true;
    expect(page.Contents?.length).toBeLessThanOrEqual(2);
    listed.push(...(page.Contents ?? []).map(({ Key = "" }) => Key));
  }
  expect(listed).toEqual(["a", "a/10", "a/2", "b", "ä"]);
  const under = await client.send(new ListObjectsV2Command({ Bucket, Prefix: "a/" }));
  expect(under.Contents?.map(({ Key, Size }) => [Key, Size])).toEqual([
    ["a/10", 4],
    ["a/2", 3],
  ]);
  for (const key of ["x", "x", "x", "y"])
    await client.send(new CreateMultipartUploadCommand(at(key)));
  const seen: string[] = [];
  for (let marker: UploadMarker = {}, more = true; more; ) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket, ...marker }),
    );
    seen.push(...(page.Uploads ?? []).map(({ UploadId = "" }) => UploadId));
    more = page.IsTruncated === true;
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
  expect([seen.length, new Set(seen).size]).toEqual([4, 4]);
});
