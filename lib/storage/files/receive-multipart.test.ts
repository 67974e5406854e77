import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FileTooLarge, measureChunks } from "@/lib/storage/files/file-store";
import {
  receiveMultipart,
  type UploadedPart,
  UploadInvalid,
} from "@/lib/storage/files/receive-multipart";

const BOUNDARY = "----boundary";
const part = (head: string, body: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
const file = (body: string, name = 'filename="a.csv"\r\nContent-Type: text/csv') =>
  part(`name="file"; ${name}`, body);
const path = (text: string) => part('name="path"', text);
const END = `--${BOUNDARY}--\r\n`;

function streamOf(text: string, options: { size?: number; fault?: Error } = {}) {
  const bytes = Buffer.from(text);
  const seen = { pulled: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (seen.pulled < bytes.length) {
          const end = seen.pulled + (options.size ?? 7);
          controller.enqueue(new Uint8Array(bytes.subarray(seen.pulled, end)));
          seen.pulled = Math.min(end, bytes.length);
        } else if (options.fault) controller.error(options.fault);
        else controller.close();
      },
      cancel: () => {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
}

/** A store in memory with the manners of the real one: whole or not at all. */
function memory(maxBytes: number) {
  const kept = new Map<string, string>();
  const store = async (upload: UploadedPart) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of measureChunks(upload.chunks, { maxBytes }).chunks) chunks.push(chunk);
    const key = `k${kept.size}`;
    kept.set(key, Buffer.concat(chunks).toString());
    return key;
  };
  return { kept, store, discard: async (key: string) => void kept.delete(key) };
}

async function receive(
  text: string,
  options: { maxBytes?: number; size?: number; fault?: Error; contentType?: string } = {},
) {
  const maxBytes = options.maxBytes ?? 1000;
  const { kept, store, discard } = memory(maxBytes);
  const { body, seen } = streamOf(text, options);
  const contentType = options.contentType ?? `multipart/form-data; boundary=${BOUNDARY}`;
  const outcome = await receiveMultipart({ body, contentType, maxBytes, store, discard }).then(
    (received) => ({ received, error: null }),
    (error: unknown) => ({ received: null, error }),
  );
  return { ...outcome, kept: [...kept.values()], seen };
}

describe("receiveMultipart", () => {
  it("stores the file, and takes the path before or after it", async () => {
    const answer = { stored: "k0", filename: "a.csv", contentType: "text/csv" };
    expect(await receive(file("x,y\r\n1,2") + END)).toMatchObject({
      received: { ...answer, path: null },
      kept: ["x,y\r\n1,2"],
    });
    expect(await receive(file("1") + path("in/b.csv") + END)).toMatchObject({
      received: { ...answer, path: "in/b.csv" },
      kept: ["1"],
    });
    expect(await receive(path("in/ü.csv") + file("") + END)).toMatchObject({
      received: { ...answer, path: "in/ü.csv" },
      kept: [""],
    });
  });

  it("reads the same however the bytes are cut", async () => {
    const content = `a\r\n--${BOUNDARY.slice(0, -1)}x\r\n--\r\n${"z".repeat(300)}\r`;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 500 }), async (size) => {
        const { kept, received } = await receive(file(content) + path("p") + END, { size });
        expect([kept, received?.path]).toEqual([[content], "p"]);
      }),
    );
  });

  it("keeps the name the client gave, without folders, in whatever way it is written", async () => {
    const named = async (head: string) => (await receive(file("x", head) + END)).received?.filename;
    expect(await named('filename="C:\\dir\\b.csv"')).toBe("b.csv");
    expect(await named('filename="../../etc/passwd"')).toBe("passwd");
    expect(await named('filename="grüße.csv"')).toBe("grüße.csv");
    expect(await named("filename*=utf-8''gr%C3%BC%C3%9Fe.csv")).toBe("grüße.csv");
    expect(await named('x="y"\r\nContent-Type: application/octet-stream')).toBeNull();
  });

  it.each([
    ["no file", path("p") + END],
    ["nothing at all", END],
    ["two files", file("1") + file("2") + END],
    ["a file under another name", part('name="upload"; filename="a"', "1") + END],
    [
      "a file and another under another name",
      file("1") + part('name="upload"; filename="a"', "2") + END,
    ],
    ["two paths", file("1") + path("a") + path("b") + END],
    ["an unknown field before the file", part('name="other"', "1") + file("1") + END],
    ["an unknown field after the file", file("1") + part('name="other"', "1") + END],
    ["a text in the field file", part('name="file"', "1") + END],
    ["a path that is too long", file("1") + path("p".repeat(5000)) + END],
    ["no end", file("1") + path("p")],
    ["an end within the file", file("1234567890").slice(0, -5)],
    [
      "a damaged head of a part",
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="fi\0le"\r\nbroken\r\n\r\n1\r\n${END}`,
    ],
    ["something that is no form", "hello"],
    ["an empty body", ""],
  ])("refuses %s, and leaves nothing stored", async (_, text) => {
    for (const size of [3, 10_000]) {
      const { error, kept } = await receive(text, { size });
      expect(error).toBeInstanceOf(UploadInvalid);
      expect(kept).toEqual([]);
    }
  });

  it("refuses a content type that is no form, or has no boundary", async () => {
    for (const contentType of [
      "",
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/mixed; boundary=x",
      "multipart/form-data",
      "multipart/form-data; x=y",
    ]) {
      expect((await receive(file("1") + END, { contentType })).error, contentType).toBeInstanceOf(
        UploadInvalid,
      );
    }
  });

  it("takes maxBytes and not one more, and stops reading a client that sends on", async () => {
    expect(await receive(file("x".repeat(100)) + END, { maxBytes: 100 })).toMatchObject({
      error: null,
    });
    const { error, kept, seen } = await receive(file("x".repeat(200_000)) + END, {
      maxBytes: 100,
      size: 1000,
    });
    expect(error).toBeInstanceOf(FileTooLarge);
    expect([kept, seen.cancelled]).toEqual([[], true]);
    expect(seen.pulled).toBeLessThan(100_000);
  });

  it("stops reading endless bytes before, between and after the parts", async () => {
    const junk = "j".repeat(200_000);
    for (const text of [
      `${junk}\r\n${file("1")}${END}`,
      file("1") + END + junk,
      file("1") + part("x", junk) + END,
    ]) {
      const { error, kept, seen } = await receive(text, { maxBytes: 100, size: 1000 });
      expect(error).not.toBeNull();
      expect([kept, seen.pulled < 100_000]).toEqual([[], true]);
    }
  });

  it("rejects with the body's fault when the client goes, and stores nothing", async () => {
    const fault = new Error("connection reset");
    for (const text of [
      "",
      file("1234567890").slice(0, -5),
      file("1"),
      file("1") + path("p").slice(0, -9),
    ]) {
      const { error, kept } = await receive(text, { fault });
      expect(error).toBe(fault);
      expect(kept).toEqual([]);
    }
  });

  it("rejects with the store's own fault, whenever it comes, and stops reading", async () => {
    const fault = new Error("disk full");
    const stores = [
      () => Promise.reject(fault),
      async (upload: UploadedPart) => {
        for await (const _ of upload.chunks) throw fault;
        return "";
      },
      async (upload: UploadedPart) => {
        for await (const _ of upload.chunks);
        throw fault;
      },
    ];
    for (const store of stores) {
      const { body } = streamOf(file("x".repeat(100_000)) + END, { size: 1000 });
      const call = receiveMultipart({
        body,
        contentType: `multipart/form-data; boundary=${BOUNDARY}`,
        maxBytes: 1e6,
        store,
        discard: async () => {},
      });
      await expect(call).rejects.toBe(fault);
    }
  });

  it("reads the client no faster than the store takes the file", async () => {
    const { body, seen } = streamOf(file("x".repeat(5_000_000)) + END, { size: 10_000 });
    let most = 0;
    let taken = 0;
    const store = async (upload: UploadedPart) => {
      for await (const chunk of upload.chunks) {
        taken += chunk.byteLength;
        // As slow as a disk: the client has every chance to run ahead.
        for (let turn = 0; turn < 5; turn += 1)
          await new Promise((resolve) => setImmediate(resolve));
        most = Math.max(most, seen.pulled - taken);
      }
      return "";
    };
    await receiveMultipart({
      body,
      contentType: `multipart/form-data; boundary=${BOUNDARY}`,
      maxBytes: 1e7,
      store,
      discard: async () => {},
    });
    expect(taken).toBe(5_000_000);
    expect(most).toBeLessThan(300_000);
  });
});
