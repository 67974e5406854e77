import { expect, test } from "vitest";
import { fileResponse, type ServedFile } from "@/lib/api/http/file-response";
import type { ApiRequest } from "@/lib/api/http/request";

const BYTES = "0123456789";
const SHA = "a".repeat(64);

function file(more: Partial<ServedFile> = {}): ServedFile {
  const open = async (range?: { start: number; end: number }) =>
    new Blob([
      range ? BYTES.slice(range.start, range.end + 1) : BYTES,
    ]).stream() as ReadableStream<Uint8Array>; // Node's own type of stream
  return {
    name: "ten.txt",
    contentType: "text/plain",
    sizeBytes: BYTES.length,
    sha256: SHA,
    open,
    ...more,
  };
}

async function ask(
  headers: Record<string, string> = {},
  method = "GET",
  more: Partial<ServedFile> = {},
): Promise<Response> {
  // Nothing else is read.
  const request = { method, headers: new Headers(headers) } as Partial<ApiRequest> as ApiRequest;
  return fileResponse(request, file(more));
}

test.each([
  ["bytes=0-0", "0", "bytes 0-0/10"],
  ["bytes=2-4", "234", "bytes 2-4/10"],
  ["bytes=7-", "789", "bytes 7-9/10"],
  ["bytes=9-", "9", "bytes 9-9/10"],
  ["bytes=-3", "789", "bytes 7-9/10"],
  ["bytes=-10", BYTES, "bytes 0-9/10"],
  ["bytes=-11", BYTES, "bytes 0-9/10"],
  ["bytes=5-99", "56789", "bytes 5-9/10"],
  ["bytes=3-3", "3", "bytes 3-3/10"],
  [" bytes=0-1 ", "01", "bytes 0-1/10"],
])("of the range %s exactly these bytes are sent: %s", async (range, text, contentRange) => {
  const response = await ask({ range });
  expect([
    response.status,
    response.headers.get("content-range"),
    response.headers.get("content-length"),
  ]).toEqual([206, contentRange, String(text.length)]);
  expect(await response.text()).toBe(text);
});

test.each(["bytes=-", "bytes=4-2", "bytes=0-1,3-4", "lines=0-1", "bytes=a-b", "0-1"])(
  "a range that is not one range of bytes is as none: %s",
  async (range) => {
    const response = await ask({ range });
    expect([
      response.status,
      response.headers.get("content-range"),
      response.headers.get("content-length"),
    ]).toEqual([200, null, "10"]);
    expect(await response.text()).toBe(BYTES);
  },
);

test.each([
  ["bytes=10-", {}],
  ["bytes=99-100", {}],
  ["bytes=-0", {}],
  ["bytes=0-", { sizeBytes: 0 }],
])("a range beyond the file is refused with its size: %s", async (range, more) => {
  const size = { ...file(), ...more }.sizeBytes;
  await expect(ask({ range }, "GET", more)).rejects.toMatchObject({
    code: "RANGE_NOT_SATISFIABLE",
    headers: { "Content-Range": `bytes */${size}` },
  });
});

test("a range holds for the meant file: with another If-Range all of it is sent", async () => {
  expect((await ask({ range: "bytes=0-1", "if-range": `"${SHA}"` })).status).toBe(206);
  expect((await ask({ range: "bytes=0-1", "if-range": '"else"' })).status).toBe(200);
});

test("what the asker has already is not sent again", async () => {
  for (const tag of ["*", `"${SHA}"`, `W/"${SHA}"`, `"else", "${SHA}"`]) {
    const response = await ask({ "if-none-match": tag, range: "bytes=0-1" });
    expect([response.status, await response.text(), response.headers.get("etag")]).toEqual([
      304,
      "",
      `"${SHA}"`,
    ]);
  }
  expect((await ask({ "if-none-match": '"else"' })).status).toBe(200);
});

test("HEAD says what GET would, without a byte, and without opening the file", async () => {
  const open = async () => {
    throw new Error("nobody opens it");
  };
  for (const [range, status, length] of [
    [undefined, 200, "10"],
    ["bytes=0-3", 206, "4"],
  ] as const) {
    const response = await ask(range ? { range } : {}, "HEAD", { open });
    expect([
      response.status,
      response.headers.get("content-length"),
      await response.text(),
    ]).toEqual([status, length, ""]);
  }
});

test("no browser runs it: it is an attachment, sandboxed and never sniffed", async () => {
  const { headers } = await ask();
  expect(headers.get("content-disposition")).toMatch(/^attachment; .*ten\.txt/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("content-security-policy")).toContain("sandbox");
  expect(headers.get("cache-control")).toBe("private, no-cache");
});

test.each([
  ["text/csv", "text/csv"],
  ["text/plain; charset=utf-8", "text/plain; charset=utf-8"],
  ["text/html\r\nx: y", "application/octet-stream"],
  ["", "application/octet-stream"],
])("of the media type %j is sent %s", async (contentType, sent) => {
  expect((await ask({}, "GET", { contentType })).headers.get("content-type")).toBe(sent);
});

test("a file's name is sent whole, and as plain letters for those who read no more", async () => {
  const { headers } = await ask({}, "GET", { name: "ü\"a\\ (1)'*.txt" });
  expect(headers.get("content-disposition")).toBe(
    `attachment; filename="__a_ (1)'*.txt"; filename*=UTF-8''%C3%BC%22a%5C%20%281%29%27%2A.txt`,
  );
});
