/**
 * The process in which one document is read, once: libraries and what they are given are not
 * trusted with the service's own. Reads a line of JSON and the document's bytes from standard
 * input, writes one JSON answer. Its heap is bounded by an option; its parent watches the rest of
 * its memory and kills it at the deadline.
 */
import { zipSync } from "fflate";
import { Unreadable, unzip } from "./unzip.mjs";

/**
 * @typedef {object} DocumentRequest
 * @property {"pdf" | "docx" | "xlsx" | "pptx"} type
 * @property {number} from the first page or slide, from 1
 * @property {number | null} to the last one; null: to the end
 * @property {string | null} sheet
 * @property {string | null} range
 * @property {boolean} addresses whether cells come with their addresses
 * @property {number} maxCharacters when there are so many, no further section is read
 * @property {number} deadlineMilliseconds
 */
/**
 * @typedef {object} DocumentContent
 * @property {{ reference: string, text: string, sheet?: string }[]} sections
 * @property {number} parts pages, slides or sheets that there are
 * @property {{ name: string, rows: number, columns: number }[]} [sheets]
 * @property {string} [html] in place of sections: what is to be made into text
 * @property {number | string | null} next where it would go on
 */

/** @returns {Promise<{ request: DocumentRequest, bytes: Uint8Array }>} */
async function readInput() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  const end = all.indexOf(10);
  // A copy of its own memory: libraries take its whole buffer.
  return {
    request: JSON.parse(all.toString("utf8", 0, end)),
    bytes: new Uint8Array(all.subarray(end + 1)),
  };
}

/**
 * @param {DocumentRequest} request
 * @param {Uint8Array} bytes
 * @returns {Promise<DocumentContent>}
 */
async function read(request, bytes) {
  switch (request.type) {
    case "pdf":
      return (await import("./read-pdf.mjs")).readPdf(bytes, request);
    case "xlsx":
      return (await import("./read-sheets.mjs")).readWorkbook(bytes, request);
    case "pptx":
      return (await import("./read-slides.mjs")).readSlides(bytes, request);
    case "docx":
      return readText(bytes);
  }
}

/** @param {Uint8Array} bytes */
async function readText(bytes) {
  const { default: mammoth } = await import("mammoth");
  // Without its pictures, and packed anew without compression, so that what the library unpacks has
  // the size that was looked at.
  const parts = unzip(bytes, (name) => /\.(?:xml|rels)$/.test(name));
  if (!parts["word/document.xml"]) throw new Unreadable("It holds no text document.");
  const buffer = Buffer.from(zipSync(parts, { level: 0 }));
  const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
  const { value } = await mammoth
    .convertToHtml({ buffer }, { convertImage, externalFileAccess: false })
    .catch(() => {
      throw new Unreadable("Its text is broken or of a kind that is not known.");
    });
  return { sections: [], parts: 1, html: value, next: null };
}

// Libraries print what they think of a file, and standard output is for the answer.
for (const name of /** @type {const} */ (["log", "info", "warn", "error", "debug"]))
  console[name] = () => {};
const { request, bytes } = await readInput();
let answer;
try {
  answer = await read(request, bytes);
} catch (error) {
  answer = {
    error:
      error instanceof Unreadable ? error.message : "It is broken, or of a kind that is not known.",
  };
}
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
