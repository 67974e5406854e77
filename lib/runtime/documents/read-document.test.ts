import { Readable } from "node:stream";
import { createDeflate } from "node:zlib";
import { strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, it, vi } from "vitest";
import { makeDocx, makePdf, makePptx, makeXlsx } from "@/e2e/support/make-documents";
import { type DocumentRequest, readDocument } from "@/lib/runtime/documents/read-document";
import type { DocumentType } from "@/lib/runtime/documents/sniff-type";

// Each reading starts a process, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

const read = (type: DocumentType, bytes: Uint8Array, asked: Partial<DocumentRequest> = {}) =>
  readDocument({
    bytes,
    type,
    addresses: true,
    maxCharacters: 100_000,
    accountId: "a",
    signal: new AbortController().signal,
    deadlineMilliseconds: 60_000,
    ...asked,
  });

describe("readDocument", () => {
  it("gives the text of a PDF by its pages, those that were asked for", async () => {
    const bytes = await makePdf(["Alpha\nsecond line", "Beta", "Gamma"]);
    expect(await read("pdf", bytes, { from: 1, to: 2 })).toEqual({
      ok: true,
      sections: [
        { reference: "page 1", text: "Alpha\nsecond line" },
        { reference: "page 2", text: "Beta" },
      ],
      parts: 3,
      sheets: [],
      next: null,
    });
    expect(await read("pdf", bytes, { from: 3, to: 9 })).toMatchObject({
      sections: [{ reference: "page 3", text: "Gamma" }],
      next: null,
    });
  });

  it("stops in a PDF of ten thousand pages with enough, and says where to go on", async () => {
    const bytes = pdfOfPages(10_000);
    const content = await read("pdf", bytes, { maxCharacters: 30 });
    expect(content).toMatchObject({
      ok: true,
      parts: 10_000,
      sections: [{ text: "many pages" }, {}, {}],
      next: 4,
    });
  });

  it("gives a text document as Markdown with its headings and tables", async () => {
    const content = await read(
      "docx",
      makeDocx(["# Terms", "Net <30> days & no more.", "Item\tPrice"]),
    );
    expect(content).toMatchObject({ ok: true, sections: [{ reference: "" }] });
    const text = content.ok ? content.sections[0]?.text : "";
    expect(text).toContain("# Terms");
    expect(text).toContain("Net <30> days & no more.");
    expect(text).toMatch(/Item.*\|.*Price/);
  });

  it("gives the cells of a workbook by address: numbers, dates, gaps and quotes", async () => {
    const bytes = makeXlsx({
      Sales: [
        ["Region", "Units", "On"],
        ["North, far", 12.5, new Date("2026-03-01T00:00:00Z")],
        ["South", null, true],
      ],
      "Other sheet": [["x"]],
    });
    expect(await read("xlsx", bytes, { sheet: "sales" })).toEqual({
      ok: true,
      sections: [
        {
          reference: "sheet Sales!A1:C3",
          sheet: "Sales",
          text: ',A,B,C\n1,Region,Units,On\n2,"North, far",12.5,2026-03-01\n3,South,,true',
        },
      ],
      parts: 2,
      sheets: [
        { name: "Sales", rows: 3, columns: 3 },
        { name: "Other sheet", rows: 1, columns: 1 },
      ],
      next: null,
    });
    expect(await read("xlsx", bytes, { sheet: "Sales", range: "b2:B3" })).toMatchObject({
      sections: [{ text: ",B\n2,12.5\n3," }],
    });
    expect(await read("xlsx", bytes, { sheet: "Sales", range: "A2" })).toMatchObject({
      sections: [{ text: ',A\n2,"North, far"' }],
    });
    expect(await read("xlsx", bytes, { addresses: false })).toMatchObject({
      sections: [
        { text: 'Region,Units,On\n"North, far",12.5,2026-03-01\nSouth,,true' },
        { sheet: "Other sheet", text: "x" },
      ],
    });
  });

  it("says which sheets there are when one is not, and how ranges are written", async () => {
    const bytes = makeXlsx({ Sales: [["x"]] });
    expect(await read("xlsx", bytes, { sheet: "Costs" })).toEqual({
      ok: false,
      problem: 'It has no sheet "Costs". Its sheets are: Sales.',
    });
    expect(await read("xlsx", bytes, { range: "all cells" })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("A1:F20"),
    });
  });

  it("goes on with the next cells when a workbook holds more than is wanted", async () => {
    const rows = Array.from({ length: 100 }, (_, at) => [`row ${at + 1}`, at]);
    const content = await read("xlsx", makeXlsx({ Long: rows }), { maxCharacters: 100 });
    expect(content).toMatchObject({
      ok: true,
      sections: [{ reference: "sheet Long!A1:B40" }],
      next: "sheet Long!A41:B100",
    });
  });

  it("takes no answer that is many times what was asked for: it is read in one go", async () => {
    const row = Array.from({ length: 40 }, () => "x".repeat(400_000));
    const bytes = makeXlsx({ Wide: [row] });
    expect(await read("xlsx", bytes)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("more text than can be read at once"),
    });
    expect(await read("xlsx", bytes, { maxCharacters: 8_000_000 })).toMatchObject({ ok: true });
  });

  it("gives slides in their order, with tables in lines and notes", async () => {
    const bytes = makePptx([
      { lines: ["Plan", "Two & three"] },
      { lines: ["End"], notes: "Thank them" },
    ]);
    expect(await read("pptx", bytes)).toMatchObject({
      ok: true,
      sections: [
        { reference: "slide 1", text: "Plan\nTwo & three" },
        { reference: "slide 2", text: "End\nNotes: Thank them" },
      ],
      parts: 2,
    });
    expect(await read("pptx", bytes, { from: 2 })).toMatchObject({
      sections: [{ reference: "slide 2" }],
    });
  });

  it("says of a protected PDF that it is", async () => {
    expect(await read("pdf", protectedPdf())).toEqual({
      ok: false,
      problem: "It is protected with a password. Whoever has it can save a copy without one.",
    });
  });

  it.each<[DocumentType, Uint8Array]>([
    ["pdf", strToU8("%PDF-1.7\nnothing of a PDF")],
    ["docx", strToU8("PK\u0003\u0004 and no more")],
    ["docx", zipSync({ "word/document.xml": strToU8("<w:document><w:body><unclosed") })],
    ["xlsx", zipSync({ "other.xml": strToU8("<a/>") })],
    ["xlsx", makeXlsx({ A: [["x"]] }).subarray(0, 400)],
    ["pptx", zipSync({ "ppt/presentation.xml": strToU8("<p:presentation/>") })],
  ])("answers a broken %s (%#) in a sentence", async (type, bytes) => {
    expect(await read(type, bytes)).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^Its? .*\.$/),
    });
  });

  it("does not unpack a bomb, nor one that lies about its size", async () => {
    const zip = zipSync({ "word/document.xml": new Uint8Array(20 * 1024 * 1024) });
    const bomb = withSizes(zip, 200 * 1024 * 1024);
    expect(await read("docx", bomb)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("128 MiB"),
    });
    const lying = withSizes(zip, 1_000);
    expect(await read("docx", lying, { deadlineMilliseconds: 20_000 })).toMatchObject({
      ok: false,
    });
  });

  it("ends a document that takes too much memory or time, and none after it", async () => {
    const wide = makeXlsx({ A: [["x"]] });
    const far = withCell(wide, "XFD1048576");
    expect(await read("xlsx", far)).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/memory|seconds/),
    });
    const bomb = await read("pdf", await pdfBomb(), { deadlineMilliseconds: 20_000 });
    expect(bomb.ok ? bomb.sections : []).toEqual([]);
    expect(await read("docx", deepDocx(200_000), { deadlineMilliseconds: 20_000 })).toMatchObject({
      ok: false,
    });
    expect(await read("pdf", await makePdf(["x"]), { deadlineMilliseconds: 1 })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("0.001 seconds"),
    });
    expect(await read("xlsx", wide)).toMatchObject({ ok: true });
  });

  it("kills its process when it is aborted", async () => {
    const controller = new AbortController();
    const reading = read("pdf", await makePdf(["x"]), { signal: controller.signal });
    controller.abort(new Error("cancelled"));
    await expect(reading).rejects.toThrow("cancelled");
  });
});

/** By hand, as the library that makes PDFs takes seconds for so many: all pages are one. */
function pdfOfPages(count: number): Uint8Array {
  const content = "BT /F1 12 Tf 50 700 Td (many pages) Tj ET";
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${count} /Kids ` +
      `[${Array.from({ length: count }, (_, at) => `${at + 5} 0 R`).join(" ")}] >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...Array.from(
      { length: count },
      () =>
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 3 0 R /Resources << " +
        "/Font << /F1 4 0 R >> >> >>",
    ),
  ]);
}

/** With a password that nobody knows. */
function protectedPdf(): Uint8Array {
  const hash = "00".repeat(32);
  return pdfOf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count 0 /Kids [] >>",
      `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${hash}> /U <${hash}> >>`,
    ],
    `/Encrypt 3 0 R /ID [<${"11".repeat(16)}> <${"11".repeat(16)}>]`,
  );
}

/** One page of spaces, a gigabyte of them. */
async function pdfBomb(): Promise<Uint8Array> {
  const piece = Buffer.alloc(8 * 1024 * 1024, " ");
  const packed: Buffer[] = [];
  for await (const chunk of Readable.from(Array(128).fill(piece)).pipe(createDeflate()))
    packed.push(chunk);
  const content = Buffer.concat(packed).toString("latin1");
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
    `<< /Filter /FlateDecode /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 3 0 R >>",
  ]);
}

function pdfOf(objects: readonly string[], trailer = ""): Uint8Array {
  let text = "%PDF-1.7\n";
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\n` +
      `startxref\n${text.length}\n%%EOF`,
    "latin1",
  );
}

/** The zip with another size of its first entry in its list, where a reader looks. */
function withSizes(zip: Uint8Array, size: number): Uint8Array {
  const bytes = new Uint8Array(zip);
  const at = Buffer.from(bytes.buffer).lastIndexOf("PK\u0001\u0002", undefined, "latin1");
  new DataView(bytes.buffer).setUint32(at + 24, size, true);
  return bytes;
}

function withCell(workbook: Uint8Array, address: string): Uint8Array {
  const row = /\d+/.exec(address)?.[0] ?? "1";
  const parts = {
    ...unzipSync(workbook),
    "xl/worksheets/sheet1.xml": strToU8(sheetOf(row, address)),
  };
  return zipSync(parts);
}

function sheetOf(row: string, address: string): string {
  const cells = Array.from(
    { length: 60 },
    (_, at) =>
      `<row r="${Number(row) - at * 10_000}"><c ` +
      `r="${address.replace(/\d+/, String(Number(row) - at * 10_000))}"><v>1</v></c></row>`,
  );
  return (
    "<worksheet " +
    'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>' +
    `${cells.toReversed().join("")}</sheetData></worksheet>`
  );
}

function deepDocx(depth: number): Uint8Array {
  const parts = unzipSync(makeDocx(["x"]));
  const name = "w:sdt";
  const text =
    "<w:document " +
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>' +
    `${`<${name}><w:sdtContent>`.repeat(depth)}${`</w:sdtContent></${name}>`.repeat(depth)}` +
    "</w:body></w:document>";
  return zipSync({ ...parts, "word/document.xml": strToU8(text) });
}
