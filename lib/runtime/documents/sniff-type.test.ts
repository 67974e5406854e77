import { describe, expect, it } from "vitest";
import { makeDocx, makePng, makePptx, makeXlsx } from "@/e2e/support/make-documents";
import { imageSize, sniffKind } from "@/lib/runtime/documents/sniff-type";

const bytes = (...values: (number | string)[]) =>
  new Uint8Array(
    Buffer.concat(
      values.map((value) =>
        typeof value === "string" ? Buffer.from(value, "latin1") : Buffer.from([value]),
      ),
    ),
  );

describe("sniffKind", () => {
  it.each<[string, Uint8Array, string]>([
    ["a.txt", bytes("%PDF-1.7"), "pdf"],
    ["a.docx", makeDocx(["x"]), "docx"],
    ["upload", makeDocx(["x"]), "docx"],
    ["upload", makeXlsx({ A: [] }), "xlsx"],
    ["upload.zip", makePptx([]), "pptx"],
    ["a.zip", bytes("PK\u0003\u0004", "a.txt"), "zip"],
    ["a.doc", bytes(0xd0, 0xcf, 0x11, 0xe0), "ole"],
    ["photo.txt", makePng(3, 4), "image/png"],
    ["a", bytes("GIF89a"), "image/gif"],
    ["a.md", bytes("# Text"), "text"],
    ["latin.csv", bytes("M\u00fcller;1\r\n"), "text"],
    ["page.HTML", bytes("<p>x"), "html"],
    ["a.txt", bytes(0xff, 0xfe, "a", 0), "utf-16"],
    ["a.txt", bytes("a", 0, "b"), "binary"],
    ["a.txt", bytes(...Array.from({ length: 64 }, (_, at) => at + 1)), "binary"],
    ["", bytes(), "text"],
  ])("takes %s for what its bytes are (%#)", (path, head, kind) => {
    expect(sniffKind(head, path)).toBe(kind);
  });
});

describe("imageSize", () => {
  it("reads the header of each format", () => {
    expect(imageSize(makePng(640, 480), "image/png")).toEqual({ width: 640, height: 480 });
    expect(imageSize(bytes("GIF89a", 16, 1, 2, 0), "image/gif")).toEqual({ width: 272, height: 2 });
    const jpeg = bytes(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xc0, 0, 11, 8, 0, 5, 1, 0);
    expect(imageSize(jpeg, "image/jpeg")).toEqual({ width: 256, height: 5 });
    const webp = (chunk: string, ...rest: number[]) =>
      bytes("RIFF", 0, 0, 0, 0, "WEBP", chunk, 0, 0, 0, 0, ...rest);
    expect(imageSize(webp("VP8X", 0, 0, 0, 0, 9, 0, 0, 19, 1, 0), "image/webp")).toEqual({
      width: 10,
      height: 276,
    });
    expect(imageSize(webp("VP8 ", 0, 0, 0, 0x9d, 1, 0x2a, 7, 0, 8, 0), "image/webp")).toEqual({
      width: 7,
      height: 8,
    });
    expect(imageSize(webp("VP8L", 0x2f, 2, 0xc0, 0, 0), "image/webp")).toEqual({
      width: 3,
      height: 4,
    });
  });

  it("has none for a header that is cut off or broken", () => {
    expect(imageSize(bytes(0xff, 0xd8, 0xff, 0xe0, 0, 4), "image/jpeg")).toBeNull();
    expect(imageSize(bytes(0xff, 0xd8, 0, 0), "image/jpeg")).toBeNull();
    expect(imageSize(bytes("RIFF", 0, 0, 0, 0, "WEBPnone"), "image/webp")).toBeNull();
  });
});
