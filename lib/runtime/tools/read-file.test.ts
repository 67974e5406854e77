import { createHash } from "node:crypto";
import { expect, it, vi } from "vitest";
import { makeDocx, makePdf, makePng, makePptx, makeXlsx } from "@/e2e/support/make-documents";
import { memoryFiles } from "@/lib/offline-model/test/offline-run";
import { PAGE_TOKENS } from "@/lib/runtime/models/read-turn";
import {
  type Reader,
  type ReadRequest,
  readFile,
  readForCode,
} from "@/lib/runtime/tools/read-file";
import type { FilesPort } from "@/lib/runtime/tools/tool-ports";

// Documents are read in processes of their own.
vi.setConfig({ testTimeout: 90_000 });

const reader = { accountId: "a", signal: new AbortController().signal };
const read = (
  content: string | Uint8Array,
  request: Partial<ReadRequest> = {},
  options: { seesImages?: boolean; takesPdf?: boolean } = {},
) =>
  readFile(
    memoryFiles({ file: content, "page.html": content }),
    { path: "file", offset: 0, max_bytes: 16_384, ...request },
    { ...reader, ...options },
  );

it("reads the pages of a PDF that are asked for, and says how to read on", async () => {
  const pdf = await makePdf(["One", "Two", "Three ".repeat(40), "Four"]);
  expect(await read(pdf, { pages: "2" })).toMatchObject({
    type: "pdf",
    pages: 4,
    text: "[page 2]\nTwo",
    next_offset: null,
    truncated: false,
  });
  const first = await read(pdf, { max_bytes: 5 });
  expect(first).toMatchObject({ text: "[page", next_offset: 5, truncated: true });
  expect(await read(pdf, { offset: 5, max_bytes: 9 })).toMatchObject({ text: " 1]\nOne\n\n" });
  expect(await read(pdf, { pages: "1-2", max_bytes: 100 })).not.toHaveProperty("more");
  expect(await read(await makePdf(["One", ""]), { pages: "2" })).toMatchObject({
    note: expect.stringContaining("scan"),
  });
  await expect(read(pdf, { pages: "5-2" })).rejects.toThrow(
    '"5-2" names no pages. Write it like 3, 3-5 or 3-.',
  );
});

it("reads slides, text documents and cells with the places that they stand in", async () => {
  expect(
    await read(makePptx([{ lines: ["Plan"] }, { lines: ["End"] }]), { pages: "2-" }),
  ).toMatchObject({
    slides: 2,
    text: "[slide 2]\nEnd",
  });
  const long = makePptx(["a", "b", "c"].map((letter) => ({ lines: [letter.repeat(40_000)] })));
  expect(await read(long, { offset: 70_000, max_bytes: 30_000 })).toMatchObject({
    next_offset: null,
    more: 'There is more: slides 3 to 3. Read on with pages "3-".',
  });
  expect(await read(long, { pages: "3-", max_bytes: 100 })).toMatchObject({
    text: expect.stringContaining("[slide 3]\nccc"),
    next_offset: 100,
  });
  expect(await read(makeDocx(["Hello"]))).toMatchObject({ type: "docx", text: "Hello" });
  const rows = Array.from({ length: 90 }, (_, at) => [`r${at + 1}`, at]);
  const book = makeXlsx({ Sales: rows, Costs: [["x"]] });
  expect(await read(book, { sheet: "Costs" })).toMatchObject({
    sheets: [
      { name: "Sales", rows: 90, columns: 2 },
      { name: "Costs", rows: 1, columns: 1 },
    ],
    text: "[sheet Costs!A1:A1]\n,A\n1,x",
  });
  expect(await read(book, { sheet: "Sales", range: "B3:B4" })).toMatchObject({
    text: "[sheet Sales!B3:B4]\n,B\n3,2\n4,3",
  });
  const wide = makeXlsx({ Sales: Array.from({ length: 90 }, () => ["x".repeat(2_000), 1]) });
  expect(await read(wide, { offset: 70_000, max_bytes: 30_000 })).toMatchObject({
    next_offset: null,
    more: 'There is more. Read on with sheet "Sales" and range "A41:B90".',
  });
});

it("gives HTML as text, or as it is written, and other encodings as text", async () => {
  const page = "<html><body><h1>Title</h1><script>x()</script><p>Text &amp; more";
  expect(await read(page, { path: "page.html" })).toMatchObject({
    text: expect.stringMatching(/^# Title\s+Text & more\s*$/),
  });
  expect(await read(page, { path: "page.html", source: true })).toMatchObject({ text: page });
  expect(await read(Buffer.from("\ufeffgrüße", "utf16le"))).toMatchObject({ text: "grüße" });
});

it("describes what nothing reads, and never gives its bytes", async () => {
  const note = expect.stringMatching(/nothing here reads/);
  expect(await read(new Uint8Array([0, 1, 2]))).toEqual({ type: "", size_bytes: 3, note });
  expect(await read(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1]))).toEqual({
    type: "",
    size_bytes: 5,
    note,
  });
  await expect(read(Buffer.from("%PDF-1.7 broken"))).rejects.toThrow(
    /^file cannot be read. It is no PDF/,
  );
});

it("notes a picture for a model that sees, and says to any other that it cannot", async () => {
  const png = makePng(640, 480);
  const described = { type: "image/png", size_bytes: png.length, width: 640, height: 480 };
  expect(await read(png, {}, { seesImages: true })).toEqual({
    ...described,
    image: { file_id: "file", sha256: "", path: "file" },
    note: expect.any(String),
  });
  expect(await read(png)).toEqual({ ...described, note: expect.stringContaining("cannot see") });
  for (const image of [
    makePng(9_000, 10),
    png.subarray(0, 12),
    Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]),
  ])
    expect(await read(image, {}, { seesImages: true })).not.toHaveProperty("image");
});

it("gives code a workbook's sheets as CSV, other documents as text, no pictures", async () => {
  const book = makeXlsx({
    Sales: [
      ["a", "b"],
      [1, 2],
    ],
    Costs: [["c"], [3]],
  });
  expect(await readForCode("b.xlsx", book, reader)).toEqual([
    ["b.xlsx", "a,b\n1,2"],
    ["b.xlsx#Sales", "a,b\n1,2"],
    ["b.xlsx#Costs", "c\n3"],
  ]);
  expect(await readForCode("a.docx", makeDocx(["Hello"]), reader)).toEqual([["a.docx", "Hello"]]);
  await expect(readForCode("a.png", makePng(1, 1), reader)).rejects.toThrow("a.png is no text");
});

/** The same, of a store that knows what its files hold. */
async function readKept(
  content: Uint8Array,
  request: Partial<ReadRequest> = {},
  options: Partial<Reader> = {},
) {
  const files = memoryFiles({ "a.pdf": content });
  const sha256 = createHash("sha256").update(content).digest("hex");
  const head: FilesPort["head"] = async (path, most) => ({
    ...(await files.head(path, most)),
    sha256,
  });
  const asked = { path: "a.pdf", offset: 0, max_bytes: 16_384, ...request };
  const given = await readFile({ ...files, head }, asked, {
    ...reader,
    takesPdf: true,
    ...options,
  });
  return { given, sha256 };
}

it("notes a short PDF read whole for a model that takes it, in place of text", async () => {
  const pdf = await makePdf(["One", ""]);
  const { given, sha256 } = await readKept(pdf);
  expect(given).toEqual({
    type: "pdf",
    pages: 2,
    size_bytes: pdf.length,
    document: { file_id: "a.pdf", sha256, path: "a.pdf", pages: 2 },
    note: expect.stringContaining("message that follows"),
  });
});

it("gives the text of a PDF by pages, long, without room, or for other models", async () => {
  const pdf = await makePdf(["One", "Two"]);
  const text = { text: expect.stringContaining("One") };
  expect((await readKept(pdf, { pages: "1-" })).given).toMatchObject(text);
  expect((await readKept(pdf, { offset: 1 })).given).toMatchObject({ truncated: true });
  expect((await readKept(pdf, {}, { takesPdf: false })).given).toMatchObject(text);
  expect((await readKept(pdf, {}, { outputMaxTokens: 2 * PAGE_TOKENS })).given).not.toHaveProperty(
    "text",
  );
  expect((await readKept(pdf, {}, { outputMaxTokens: 2 * PAGE_TOKENS - 1 })).given).toMatchObject(
    text,
  );
  const long = await makePdf(Array(21).fill("One"));
  expect((await readKept(long)).given).toMatchObject(text);
  // What the store has now is not what was read.
  expect(await read(pdf, {}, { takesPdf: true })).toMatchObject(text);
});

it("gives the text of a PDF that holds a secret, to be taken out of text alone", async () => {
  const pdf = await makePdf(["One", "The key is sk-12345."]);
  function* redact(text: string) {
    yield;
    return text.replaceAll("sk-12345", "[redacted]");
  }
  expect((await readKept(pdf, {}, { redact })).given).toHaveProperty("text");
  expect((await readKept(await makePdf(["One"]), {}, { redact })).given).toHaveProperty("document");
});
