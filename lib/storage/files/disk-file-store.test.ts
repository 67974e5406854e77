import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";
import { newFileKey } from "@/lib/storage/files/file-store";
import { bytesOf, describeFileStore, sourceOf } from "@/lib/storage/files/file-store-contract";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "file-store-"));
});
afterAll(() => rm(root, { recursive: true }));

const namesIn = (folder: string) =>
  readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
const count = async (folder: string) =>
  (await namesIn(folder)).filter((entry) => entry.isFile()).length;

describe("the disk store", () => {
  describeFileStore(() => ({
    store: createDiskFileStore(root),
    countLeftovers: () => count("unfinished"),
    countFiles: () => count("files"),
  }));

  it("puts nothing in the file's place before it is whole", async () => {
    const key = newFileKey("owner");
    const seen: number[] = [];
    const source = sourceOf(
      [bytesOf("a"), bytesOf("b")],
      async () => void seen.push(await count(`files/owner`), await count("unfinished")),
    );
    await createDiskFileStore(root).put(key, source.stream, { maxBytes: 10 });
    expect([...seen, await count("files/owner"), await count("unfinished")]).toEqual([0, 1, 1, 0]);
  });

  it("reads on what was opened, though deleted, and closes it when the reader goes", async () => {
    const key = newFileKey("owner");
    const store = createDiskFileStore(root);
    await store.put(key, sourceOf([new Uint8Array(200_000)]).stream, { maxBytes: 200_000 });
    const [one, two] = [await store.read(key), await store.read(key)];
    await store.delete(key);
    expect((await new Response(one).arrayBuffer()).byteLength).toBe(200_000);
    await two.cancel();
  });

  it("sweeps uploads that died before the given time, and no others", async () => {
    const store = createDiskFileStore(root);
    await store.put(newFileKey("owner"), sourceOf([]).stream, { maxBytes: 0 });
    const [old, fresh] = [join(root, "unfinished", "old"), join(root, "unfinished", "fresh")];
    for (const path of [old, fresh]) await writeFile(path, "x");
    await utimes(old, new Date(0), new Date(0));
    expect(await store.sweepUnfinished(new Date(Date.now() - 3_600_000))).toBe(1);
    await expect(stat(old)).rejects.toThrow("ENOENT");
    expect(await readFile(fresh, "utf8")).toBe("x");
    await rm(fresh);
  });

  it("sweeps an empty store without complaint", async () => {
    expect(await createDiskFileStore(join(root, "never-used")).sweepUnfinished(new Date())).toBe(0);
  });

  it("keeps whole files through many uploads and deletions in one folder at once", async () => {
    const store = createDiskFileStore(root);
    const puts = Array.from({ length: 40 }, async () => {
      const key = newFileKey("busy");
      const stored = await store
        .put(key, sourceOf([bytesOf(key)]).stream, { maxBytes: 100 })
        .catch(() => null);
      const back = stored && (await store.read(key).catch(() => null));
      if (back) expect(await new Response(back).text()).toBe(key);
    });
    await Promise.all([...puts, store.deletePrefix("busy"), store.deletePrefix("busy")]);
    expect(await count("unfinished")).toBe(0);
  });
});
