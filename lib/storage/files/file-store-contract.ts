import "server-only";

import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import {
  FileMissing,
  type FileStore,
  FileTooLarge,
  newFileKey,
} from "@/lib/storage/files/file-store";

const LARGE_BYTES = 12_000_000;
const OWNER = "0190a0a0-0000-7000-8000-000000000001";

export const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A web stream of these chunks, which tells whether it was closed before its end. */
export function sourceOf(chunks: Iterable<Uint8Array>, atEnd?: () => void | Promise<void>) {
  const seen = { cancelled: false };
  const iterator = chunks[Symbol.iterator]();
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const next = iterator.next();
        if (!next.done) return controller.enqueue(next.value);
        await atEnd?.();
        controller.close();
      },
      cancel: () => {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen };
}

async function allOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream).arrayBuffer());
}

function* large(): Generator<Uint8Array> {
  for (let left = LARGE_BYTES, turn = 0; left > 0; left -= 100_000, turn += 1)
    yield new Uint8Array(100_000).fill(turn % 251);
}

/**
 * What every file store promises. `countLeftovers` counts all that lies in the store beyond whole
 * files.
 */
export function describeFileStore(
  open: () => {
    store: FileStore;
    countLeftovers: () => Promise<number>;
    countFiles: () => Promise<number>;
  },
): void {
  const maxBytes = 20_000_000;
  const put = (key: string, text: string) =>
    open().store.put(key, sourceOf([bytesOf(text)]).stream, { maxBytes });
  const read = async (key: string, range?: { start: number; end?: number }) =>
    (await allOf(await open().store.read(key, range))).toString();

  it("gives back what was put, with its size and SHA-256", async () => {
    const key = newFileKey(OWNER);
    const stored = await open().store.put(
      key,
      sourceOf([bytesOf("grüß"), bytesOf(""), bytesOf(" dich")]).stream,
      { maxBytes },
    );
    expect(stored).toEqual({
      sizeBytes: 11,
      sha256: createHash("sha256").update("grüß dich").digest("hex"),
    });
    expect(await read(key)).toBe("grüß dich");
  });

  it("lists what it holds, from any key on, and knows the size of each", async () => {
    const { store } = open();
    const keys = await Promise.all(
      ["one", "three", "seven"].map(async (text) => {
        const key = newFileKey(OWNER);
        await put(key, text);
        return key;
      }),
    );
    const listed: string[] = [];
    for await (const page of store.list("")) {
      for (const { key, sizeBytes, storedAt } of page) {
        listed.push(key);
        expect(await store.size(key)).toBe(sizeBytes);
        expect(Math.abs(Date.now() - storedAt.getTime())).toBeLessThan(3_600_000);
      }
    }
    expect(listed).toEqual(expect.arrayContaining(keys));
    expect(new Set(listed).size).toBe(listed.length);
    const rest: string[] = [];
    for await (const page of store.list(listed[1] ?? "")) rest.push(...page.map(({ key }) => key));
    expect(rest).toEqual(listed.slice(2));
    expect(await store.size(newFileKey(OWNER))).toBe(null);
  });

  it("is the same store however often it is opened", async () => {
    const identity = await open().store.identity();
    expect(identity).toMatch(/^(disk|s3):.+/);
    expect(await open().store.identity()).toBe(identity);
  });

  it("stores an empty file", async () => {
    const key = newFileKey(OWNER);
    expect(await open().store.put(key, sourceOf([]).stream, { maxBytes: 0 })).toMatchObject({
      sizeBytes: 0,
    });
    expect(await read(key)).toBe("");
  });

  it("streams a large file in from an async iterable and out again", async () => {
    const key = newFileKey(OWNER);
    const hash = createHash("sha256");
    async function* source() {
      for (const chunk of large()) {
        hash.update(chunk);
        yield chunk;
      }
    }
    const stored = await open().store.put(key, source(), { maxBytes });
    expect(stored).toEqual({ sizeBytes: LARGE_BYTES, sha256: hash.digest("hex") });
    const whole = await allOf(await open().store.read(key));
    expect(createHash("sha256").update(whole).digest("hex")).toBe(stored.sha256);
  });

  it("reads exactly the bytes of a range, both ends included", async () => {
    const key = newFileKey(OWNER);
    await put(key, "0123456789");
    expect(await read(key, { start: 0, end: 0 })).toBe("0");
    expect(await read(key, { start: 3, end: 6 })).toBe("3456");
    expect(await read(key, { start: 7 })).toBe("789");
    expect(await read(key, { start: 9, end: 500 })).toBe("9");
  });

  it("takes exactly maxBytes, and leaves nothing of a file with one byte more", async () => {
    const [fits, small, big] = [newFileKey(OWNER), newFileKey(OWNER), newFileKey(OWNER)];
    const { store, countLeftovers, countFiles } = open();
    expect(
      await store.put(fits, sourceOf([bytesOf("12345")]).stream, { maxBytes: 5 }),
    ).toMatchObject({ sizeBytes: 5 });
    const before = await countFiles();
    const source = sourceOf([bytesOf("123"), bytesOf("456"), bytesOf("7")]);
    await expect(store.put(small, source.stream, { maxBytes: 5 })).rejects.toThrow(FileTooLarge);
    await expect(
      store.put(big, sourceOf(large()).stream, { maxBytes: LARGE_BYTES - 1 }),
    ).rejects.toThrow(FileTooLarge);
    expect(source.seen.cancelled).toBe(true);
    for (const key of [small, big]) await expect(store.read(key)).rejects.toThrow(FileMissing);
    expect([await countFiles(), await countLeftovers()]).toEqual([before, 0]);
  });

  it("leaves nothing of an upload that breaks off, small or large", async () => {
    const { store, countLeftovers, countFiles } = open();
    const before = await countFiles();
    const fault = new Error("the client went away");
    for (const chunks of [[bytesOf("part")], large()]) {
      const key = newFileKey(OWNER);
      const { stream } = sourceOf(chunks, () => Promise.reject(fault));
      await expect(store.put(key, stream, { maxBytes })).rejects.toBe(fault);
      await expect(store.read(key)).rejects.toThrow(FileMissing);
    }
    expect([await countFiles(), await countLeftovers()]).toEqual([before, 0]);
  });

  it("stops at once when the signal aborts, even in silence, and leaves nothing", async () => {
    const { store, countLeftovers, countFiles } = open();
    const before = await countFiles();
    const stop = new AbortController();
    const reason = new Error("stopped");
    const source = sourceOf([bytesOf("part")], () => new Promise(() => stop.abort(reason)));
    const key = newFileKey(OWNER);
    await expect(store.put(key, source.stream, { maxBytes, signal: stop.signal })).rejects.toBe(
      reason,
    );
    await expect(
      store.put(key, sourceOf([bytesOf("x")]).stream, { maxBytes, signal: stop.signal }),
    ).rejects.toBe(reason);
    await expect(store.read(key)).rejects.toThrow(FileMissing);
    expect(source.seen.cancelled).toBe(true);
    expect([await countFiles(), await countLeftovers()]).toEqual([before, 0]);
  });

  it("deletes a file, and again without complaint", async () => {
    const key = newFileKey(OWNER);
    await put(key, "x");
    await open().store.delete(key);
    await open().store.delete(key);
    await expect(read(key)).rejects.toThrow(FileMissing);
  });

  it("deletes all files of an owner and none of one whose id begins alike", async () => {
    const mine = Array.from({ length: 20 }, () => newFileKey("owner-a"));
    const other = newFileKey("owner-ab");
    for (const key of [...mine, other]) await put(key, key);
    await open().store.deletePrefix("owner-a");
    await open().store.deletePrefix("owner-a");
    for (const key of mine) await expect(read(key)).rejects.toThrow(FileMissing);
    expect(await read(other)).toBe(other);
  });

  it("goes on reading, or fails, but gives no other bytes, when the file is deleted", async () => {
    const key = newFileKey(OWNER);
    await open().store.put(key, sourceOf(large()).stream, { maxBytes });
    const reader = (await open().store.read(key)).getReader();
    await reader.read();
    await open().store.delete(key);
    let size = 0;
    for (
      let next = await reader.read().catch(() => null);
      next && !next.done;
      next = await reader.read().catch(() => null)
    )
      size += next.value.byteLength;
    expect(size).toBeLessThan(LARGE_BYTES);
    await expect(open().store.read(key)).rejects.toThrow(FileMissing);
  });

  it("refuses keys that could lead out of the store", async () => {
    for (const key of [
      "",
      "/",
      "/a",
      "a/",
      "a//b",
      "..",
      "a/../b",
      "a/./b",
      ".a",
      "a\\b",
      "A/b",
      "a b",
      "a\0",
      "a%2f",
      "é",
      "a/".repeat(9),
      "x".repeat(65),
    ]) {
      await expect(put(key, "x"), JSON.stringify(key)).rejects.toThrow(TypeError);
      await expect(
        (async () => open().store.deletePrefix(key))(),
        JSON.stringify(key),
      ).rejects.toThrow(TypeError);
    }
  });
}
