import { strToU8, zipSync } from "fflate";
import { PDFDocument, StandardFonts } from "pdf-lib";

/** Documents for tests, as small as their formats let them be. */

/** A PDF with a page for each text, whose lines stand below each other. */
export async function makePdf(pages: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of pages)
    pdf.addPage([595, 842]).drawText(text, { x: 50, y: 780, size: 11, lineHeight: 14, font });
  return new Uint8Array(await pdf.save());
}

/**
 * A text document of paragraphs; one that begins with `# ` is a heading, one that holds tabs a
 * table's row.
 */
export function makeDocx(paragraphs: readonly string[]): Uint8Array<ArrayBuffer> {
  const run = (text: string) => `<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;
  const body = paragraphs.map((text) => {
    if (text.startsWith("# "))
      return `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>${run(text.slice(2))}</w:p>`;
    if (!text.includes("\t")) return `<w:p>${run(text)}</w:p>`;
    const cells = text.split("\t").map((cell) => `<w:tc><w:p>${run(cell)}</w:p></w:tc>`);
    return `<w:tbl><w:tr>${cells.join("")}</w:tr></w:tbl>`;
  });
  return zipOf({
    "[Content_Types].xml": types(
      "/word/document.xml",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
    ),
    "_rels/.rels": relations([["rId1", "officeDocument", "word/document.xml"]]),
    "word/document.xml":
      "<w:document " +
      'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>' +
      `${body.join("")}</w:body></w:document>`,
  });
}

export type TestCell = string | number | boolean | Date | null;

/** A workbook; cells are kept as Excel keeps them, dates as numbers with a date's format. */
export function makeXlsx(
  sheets: Readonly<Record<string, readonly (readonly TestCell[])[]>>,
): Uint8Array<ArrayBuffer> {
  const names = Object.keys(sheets);
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const links = names.map(
    (name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const parts: Record<string, string> = {
    "[Content_Types].xml": types(
      "/xl/workbook.xml",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
    ),
    "_rels/.rels": relations([["rId1", "officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml":
      `<workbook xmlns="${main}" ` +
      'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>' +
      `${links.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations([
      ...names.map(
        (_, at): Relation => [`rId${at + 1}`, "worksheet", `worksheets/sheet${at + 1}.xml`],
      ),
      ["rIdStyles", "styles", "styles.xml"],
    ]),
    "xl/styles.xml":
      `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" ` +
      'applyNumberFormat="1"/></cellXfs></styleSheet>',
  };
  for (const [at, rows] of Object.values(sheets).entries())
    parts[`xl/worksheets/sheet${at + 1}.xml`] =
      "<worksheet " +
      `xmlns="${main}"><sheetData>${rows.map(sheetRow).join("")}</sheetData></worksheet>`;
  return zipOf(parts);
}

function sheetRow(row: readonly TestCell[], at: number): string {
  return (
    "<row " +
    `r="${at + 1}">` +
    row
      .map((cell, column) => sheetCell(cell, `${String.fromCharCode(65 + column)}${at + 1}`))
      .join("") +
    "</row>"
  );
}

function sheetCell(cell: TestCell, address: string): string {
  if (cell === null) return "";
  if (typeof cell === "number") return `<c r="${address}"><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `<c r="${address}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (cell instanceof Date)
    return `<c r="${address}" s="1"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`;
  return `<c r="${address}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
}

/** Slides of lines, each with its notes. */
export function makePptx(
  slides: readonly { lines: readonly string[]; notes?: string }[],
): Uint8Array<ArrayBuffer> {
  const paragraphs = (lines: readonly string[]) =>
    lines.map((line) => `<a:p><a:r><a:t>${escaped(line)}</a:t></a:r></a:p>`).join("");
  const shape = (type: string, lines: readonly string[]) =>
    "<p:sp><p:nvSpPr><p:nvPr><p:ph " +
    `type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs(lines)}</p:txBody></p:sp>`;
  const names =
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
  const ids = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`).join("");
  const parts: Record<string, string> = {
    "[Content_Types].xml": types(
      "/ppt/presentation.xml",
      "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
    ),
    "_rels/.rels": relations([["rId1", "officeDocument", "ppt/presentation.xml"]]),
    "ppt/presentation.xml":
      `<p:presentation ${names} ` +
      'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">' +
      `<p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      slides.map((_, at): Relation => [`rId${at + 1}`, "slide", `slides/slide${at + 1}.xml`]),
    ),
  };
  for (const [at, { lines, notes }] of slides.entries()) {
    parts[`ppt/slides/slide${at + 1}.xml`] = `<p:sld ${names}>${shape("body", lines)}</p:sld>`;
    if (notes === undefined) continue;
    parts[`ppt/slides/_rels/slide${at + 1}.xml.rels`] = relations([
      ["rId1", "notesSlide", `../notesSlides/notesSlide${at + 1}.xml`],
    ]);
    parts[`ppt/notesSlides/notesSlide${at + 1}.xml`] =
      `<p:notes ${names}>${shape("sldNum", [String(at + 1)])}${shape("body", [notes])}</p:notes>`;
  }
  return zipOf(parts);
}

/**
 * A PNG of one colour: a header with these sizes, which is all that is looked at, and the bytes of
 * a picture of one pixel.
 */
export function makePng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const pixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const bytes = new Uint8Array(Buffer.from(pixel, "base64"));
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

type Relation = [id: string, type: string, target: string];

function relations(all: readonly Relation[]): string {
  const kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const each = all.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${kind}/${type}" Target="${target}"/>`,
  );
  return (
    "<Relationships " +
    `xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join("")}` +
    "</Relationships>"
  );
}

function types(part: string, type: string): string {
  return (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default ' +
    'Extension="rels" ' +
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default ' +
    `Extension="xml" ContentType="application/xml"/><Override PartName="${part}" ` +
    `ContentType="${type}"/></Types>`
  );
}

function zipOf(parts: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])),
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
