import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "@/e2e/support/s3/s3-server";
import { moveFiles } from "@/lib/domain/backup/move-files";
import { findLeakedFiles, findMissingFiles } from "@/lib/domain/blobs/blob-audit";
import { fileStore, storeBytes } from "@/lib/domain/blobs/stored-bytes";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { type EndedRun, insertEndedRun } from "@/lib/domain/test/insert-ended-run";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";
import type { FileStore } from "@/lib/storage/files/file-store";
import { createS3FileStore } from "@/lib/storage/files/s3-file-store";

let database: DomainDatabase;
let owner: Principal;
let folder: string;
let server: S3Server;

beforeAll(async () => {
  database = await openDomainDatabase();
  server = await startS3Server();
});
afterAll(async () => {
  await server.stop();
  await database.close();
});
beforeEach(async () => {
  await database.pool.query("TRUNCATE artifacts, run_files, runs, conversations CASCADE");
  owner = await database.account();
  folder = await mkdtemp(join(tmpdir(), "lathe-compare-"));
  return () => rm(folder, { recursive: true, force: true });
});

/** Has this process keep its files there. */
function useStore(store: FileStore): void {
  database.service.give(fileStore, store);
}

const leak = async (text: string) =>
  (await storeBytes(owner.accountId, new Blob([text]).stream())).storageKey;
const made = (): Promise<EndedRun> => insertEndedRun(owner, new Date());
const identity = async () =>
  (await database.pool.query("SELECT file_store FROM service_identity")).rows[0]?.file_store;

describe.each([
  ["a folder", () => createDiskFileStore(folder)],
  ["S3", () => createS3FileStore(server.settings)],
])("of %s", (_, open) => {
  test("bytes stored and never named are told, and alone removed on demand", async () => {
    const store = open();
    useStore(store);
    const kept = [await made(), await made()];
    const lost = [await leak("one"), await leak("two, and killed")].sort();
    const told = await findLeakedFiles("", { remove: false, leastAgeMs: -60_000 });
    expect(told.leaked.map(({ key }) => key).sort()).toEqual(lost);
    for (const key of lost) expect(await store.size(key)).not.toBe(null);
    const removed = await findLeakedFiles("", { remove: true, leastAgeMs: -60_000 });
    expect(removed).toEqual({ ...told, leaked: expect.any(Array) });
    for (const key of lost) expect(await store.size(key)).toBe(null);
    for (const { storageKey } of kept) expect(await store.size(storageKey)).toBe(5);
    expect(await findLeakedFiles("", { remove: true, leastAgeMs: -60_000 })).toMatchObject({
      leaked: [],
      next: null,
    });
  });

  test("bytes that may still get a row, or are not the service's, are left", async () => {
    const store = open();
    useStore(store);
    const [young, foreign] = [await leak("just stored"), "somebody/elses/thing"];
    await store.put(foreign, new Blob(["x"]).stream(), { maxBytes: 10 });
    expect((await findLeakedFiles("", { remove: true })).leaked).toEqual([]);
    const now = (await findLeakedFiles("", { remove: true, leastAgeMs: -60_000 })).leaked.map(
      ({ key }) => key,
    );
    expect(now).toContain(young);
    expect(now).not.toContain(foreign);
    expect(await store.size(foreign)).toBe(1);
  });

  test("a row whose bytes are gone, or not all there, is told", async () => {
    const store = open();
    useStore(store);
    const [gone, short, whole] = [await made(), await made(), await made()];
    await store.delete(gone.storageKey);
    await database.pool.query("UPDATE artifacts SET size_bytes = 6 WHERE id = $1", [
      short.artifactId,
    ]);
    const { rows, missing } = await findMissingFiles();
    expect(rows).toBe(6);
    expect(missing.map(({ id }) => id).sort()).toEqual([gone.artifactId, short.artifactId].sort());
    expect(missing.map(({ id }) => id)).not.toContain(whole.artifactId);
  });
});

test("a slice whose time is up says where to go on, and all slices find all", async () => {
  const store = createDiskFileStore(folder);
  useStore(store);
  const lost = await Promise.all(Array.from({ length: 1_005 }, (_, index) => leak(`${index}`)));
  for (const key of lost) await utimes(join(folder, "files", key), new Date(0), new Date(0));
  const first = await findLeakedFiles("", { remove: true, limitMs: 0 });
  expect(first.leaked).toHaveLength(1_000);
  expect(first.next).not.toBe(null);
  const second = await findLeakedFiles(first.next ?? "", { remove: true, limitMs: 60_000 });
  expect(second).toMatchObject({ looked: 5, next: null });
  expect([...first.leaked, ...second.leaked].map(({ key }) => key).sort()).toEqual(lost.sort());
});

test.each([
  [
    "from disk to S3",
    () => [createDiskFileStore(folder), createS3FileStore(server.settings)] as const,
  ],
  [
    "from S3 to disk",
    () => [createS3FileStore(server.settings), createDiskFileStore(folder)] as const,
  ],
])(
  "files are moved %s, byte for byte; broken off it goes on, and the new store is the one",
  async (_, open) => {
    const [source, target] = open();
    useStore(source);
    await database.pool.query(
      `INSERT INTO service_identity (key_id, key_fingerprint, file_store) VALUES ('k', 'f', $1)
       ON CONFLICT (id) DO UPDATE SET file_store = $1`,
      [await source.identity()],
    );
    const files = [await made(), await made(), await made()];
    const put = target.put;
    let puts = 0;
    target.put = async (...all) => {
      puts += 1;
      if (puts !== 2) return put(...all);
      await new Response(all[1] as ReadableStream).arrayBuffer(); // the store's own stream
      throw new Error("the network went away");
    };
    await expect(moveFiles(target)).rejects.toThrow("the network went away");
    expect(await identity()).toBe(await source.identity());
    target.put = put;
    const lost = await made();
    await source.delete(lost.storageKey);
    const moved = await moveFiles(target);
    expect(moved).toMatchObject({ status: "moved", missing: [lost.storageKey] });
    expect(moved.copied + moved.there_before).toBe(7);
    expect(moved.there_before).toBeGreaterThan(0);
    for (const { storageKey } of files)
      expect(await new Response(await target.read(storageKey)).text()).toBe("bytes");
    expect(await identity()).toBe(await target.identity());
  },
);

test("what is not as its row says is not moved, nor a service at work", async () => {
  const [source, target] = [
    createDiskFileStore(folder),
    createDiskFileStore(join(folder, "other")),
  ];
  useStore(source);
  const wrong = await made();
  await database.pool.query("UPDATE artifacts SET sha256 = 'another' WHERE id = $1", [
    wrong.artifactId,
  ]);
  await expect(moveFiles(target)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await target.size(wrong.storageKey)).toBe(null);
  await database.pool.query("DELETE FROM artifacts WHERE id = $1", [wrong.artifactId]);
  const { storageKey } = await made();
  const before = await identity();
  const living = await database.pool.connect();
  const { rows } = await living.query("INSERT INTO engine_processes DEFAULT VALUES RETURNING id");
  await living.query("SELECT pg_advisory_lock($1, $2)", [0x1a7e, rows[0].id]);
  expect(await moveFiles(target)).toMatchObject({ status: "copied", copied: 3 });
  expect(await target.size(storageKey)).toBe(5);
  expect(await identity()).toBe(before);
  await living.query("SELECT pg_advisory_unlock_all()");
  living.release();
  expect(await moveFiles(target)).toMatchObject({ status: "moved", copied: 0 });
  await expect(moveFiles(source)).rejects.toThrow("already");
});
