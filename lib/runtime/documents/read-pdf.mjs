import { join } from "node:path";
import { Unreadable } from "./unzip.mjs";

/**
 * @typedef {import("./child.mjs").DocumentRequest} DocumentRequest
 * @typedef {import("./child.mjs").DocumentContent} DocumentContent
 */

/** How much of its time a reading may take before it stops with what it has. */
const TIME_SHARE = 0.6;

/**
 * The text of pages, until there is enough of it or no time left.
 * @param {Uint8Array} bytes
 * @param {DocumentRequest} request
 * @returns {Promise<DocumentContent>}
 */
export async function readPdf(bytes, { from, to, maxCharacters, deadlineMilliseconds }) {
  const end = performance.now() + deadlineMilliseconds * TIME_SHARE;
  const pdf = await open(bytes);
  const sections = [];
  const last = Math.min(to ?? pdf.numPages, pdf.numPages);
  let characters = 0;
  let page = from;
  for (; page <= last && characters < maxCharacters && performance.now() < end; page += 1) {
    const text = await textOf(pdf, page);
    characters += text.length;
    sections.push({ reference: `page ${page}`, text });
  }
  return { sections, parts: pdf.numPages, next: page <= last ? page : null };
}

/** @param {Uint8Array} bytes */
async function open(bytes) {
  // The library makes one of these while it loads, and uses it only to draw.
  Object.assign(globalThis, { DOMMatrix: class {}, Path2D: class {}, ImageData: class {} });
  const { getDocument, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const files = join(process.cwd(), "node_modules", "pdfjs-dist");
  try {
    return await getDocument({
      data: bytes,
      cMapUrl: join(files, "cmaps/"),
      cMapPacked: true,
      standardFontDataUrl: join(files, "standard_fonts/"),
      disableFontFace: true,
      useSystemFonts: false,
      useWasm: false,
      verbosity: VerbosityLevel.ERRORS,
    }).promise;
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException")
      throw new Unreadable(
        "It is protected with a password. Whoever has it can save a copy without one.",
      );
    throw new Unreadable("It is no PDF that can be opened: it is broken or was cut off.");
  }
}

/**
 * @param {Awaited<ReturnType<typeof open>>} pdf
 * @param {number} number
 */
async function textOf(pdf, number) {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return items
      .map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : ""))
      .join("")
      .trim();
  } catch {
    return "(This page is broken and cannot be read.)";
  }
}
