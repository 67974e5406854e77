import { CreateMultipartUploadCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type S3Server, startS3Server } from "@/e2e/support/s3/s3-server";
import { FileMissing, newFileKey } from "@/lib/storage/files/file-store";
import { bytesOf, describeFileStore, sourceOf } from "@/lib/storage/files/file-store-contract";
import { createS3FileStore } from "@/lib/storage/files/s3-file-store";

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.stop());

describe("the S3 store", () => {
  describeFileStore(() => ({
    store: createS3FileStore(server.settings),
    countLeftovers: async () => server.countUploads(),
    countFiles: async () => server.countObjects(),
  }));

  it("sends a small file in one request, a large one in parts, no byte too early", async () => {
    const seen: string[] = [];
    server.onRequest((line) => seen.push(line.replace(/ .*\?/, " ")) > 0);
    const store = createS3FileStore(server.settings);
    await store.put(newFileKey("owner"), sourceOf([bytesOf("small")]).stream, { maxBytes: 10 });
    expect(seen.splice(0)).toEqual([expect.stringMatching(/^PUT x-id=PutObject/)]);
    await store.put(newFileKey("owner"), sourceOf([new Uint8Array(11_000_000)]).stream, {
      maxBytes: 11_000_000,
    });
    expect(seen.filter((line) => line.includes("partNumber"))).toHaveLength(3);
    server.onRequest(() => true);
  });

  it("takes the parts back when the server fails in the middle of an upload", async () => {
    const store = createS3FileStore(server.settings);
    const key = newFileKey("owner");
    server.onRequest((line) => !line.includes("partNumber=2"));
    await expect(
      store.put(key, sourceOf([new Uint8Array(11_000_000)]).stream, { maxBytes: 11_000_000 }),
    ).rejects.toThrow();
    server.onRequest(() => true);
    await expect(store.read(key)).rejects.toThrow(FileMissing);
    expect(server.countUploads()).toBe(0);
  });

  it("sweeps multipart uploads that were begun before the given time, and no others", async () => {
    const client = new S3Client({ ...server.settings, credentials: server.settings });
    await client.send(
      new CreateMultipartUploadCommand({
        Bucket: server.settings.bucket,
        Key: newFileKey("owner"),
      }),
    );
    const store = createS3FileStore(server.settings);
    expect(await store.sweepUnfinished(new Date(Date.now() - 3_600_000))).toBe(0);
    expect(server.countUploads()).toBe(1);
    expect(await store.sweepUnfinished(new Date(Date.now() + 60_000))).toBe(1);
    expect(server.countUploads()).toBe(0);
  });

  it("lists, deletes and sweeps all of what is more than one page", async () => {
    const small = await startS3Server({ pageMax: 2 });
    try {
      const store = createS3FileStore(small.settings);
      const client = new S3Client({ ...small.settings, credentials: small.settings });
      const keys = Array.from({ length: 5 }, () => newFileKey("owner"));
      for (const key of keys) {
        await store.put(key, sourceOf([bytesOf("x")]).stream, { maxBytes: 1 });
        const upload = { Bucket: small.settings.bucket, Key: key };
        await client.send(new CreateMultipartUploadCommand(upload));
      }
      const pages: string[][] = [];
      for await (const page of store.list("")) pages.push(page.map(({ key }) => key));
      expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
      expect(pages.flat()).toEqual(keys.sort());
      expect(await store.sweepUnfinished(new Date(Date.now() + 60_000))).toBe(5);
      await store.deletePrefix("owner");
      expect([small.countObjects(), small.countUploads()]).toEqual([0, 0]);
    } finally {
      await small.stop();
    }
  });

  it("does not take a bucket that is not there for a missing file", async () => {
    const store = createS3FileStore({ ...server.settings, bucket: "another" });
    await expect(store.read(newFileKey("owner"))).rejects.toMatchObject({ name: "NoSuchBucket" });
  });
});
