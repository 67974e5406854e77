/**
 * The process in which files are made, once: of what code in the sandbox has handed over, which is
 * data alone. Reads one frame from standard input and writes one. Its heap is bounded by an option;
 * its parent watches the rest of its memory and kills it at the deadline.
 */
import { packFrame, unpackFrame } from "../sandbox/frames.mjs";
import { isRecord, Unmakeable } from "./table.mjs";

/** @typedef {"save" | "xlsx" | "docx" | "pptx" | "pdf" | "csv" | "svg" | "png" | "zip"} Maker */
/** @typedef {{ path: string, maker: Maker }} Order */
/** @typedef {{ bytes: Uint8Array, pages?: number, slides?: number, note?: string }} Product */

/**
 * @param {Maker} maker
 * @param {unknown} spec
 * @param {Map<string, Uint8Array>} made files of the same call, made before
 * @returns {Promise<Product>}
 */
async function make(maker, spec, made) {
  switch (maker) {
    case "xlsx":
      return { bytes: (await import("./write-workbook.mjs")).writeWorkbook(spec) };
    case "docx":
      return {
        bytes: await (await import("./write-text-document.mjs")).writeTextDocument(spec, made),
      };
    case "pptx":
      return (await import("./write-slides.mjs")).writeSlides(spec, made);
    case "pdf":
      return (await import("./write-pdf.mjs")).writePdf(spec, made);
    case "csv":
      return { bytes: (await import("./write-csv.mjs")).writeCsv(spec) };
    case "svg":
    case "png":
      return { bytes: await chart(maker, spec) };
    case "zip":
      return { bytes: (await import("./write-zip.mjs")).writeZip(spec, made) };
    case "save":
      throw new Unmakeable("Nothing to make.");
  }
}

/**
 * @param {"svg" | "png"} type
 * @param {unknown} spec a chart, or for a PNG the text of an SVG
 * @returns {Promise<Uint8Array>}
 */
async function chart(type, spec) {
  const { drawChart, toPng } = await import("./draw-chart.mjs");
  const { readChart } = await import("./read-chart.mjs");
  const svg =
    isRecord(spec) && typeof spec.svg === "string"
      ? spec.svg
      : drawChart(readChart(spec, "The chart"));
  return type === "png" ? toPng(svg) : Buffer.from(svg);
}

/** @param {unknown} error */
function reasonOf(error) {
  if (error instanceof Unmakeable) return error.message;
  return "It could not be made of this.";
}

// Libraries print what they think, and standard output is for the answer.
for (const name of /** @type {const} */ (["log", "info", "warn", "error", "debug"]))
  console[name] = () => {};
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { header, payloads } = unpackFrame(Buffer.concat(chunks));
const orders = /** @type {Order[]} */ (header); // our own parent wrote it
/** @type {Map<string, Uint8Array>} */
const made = new Map();
/** @type {({ path: string, pages?: number, slides?: number, note?: string } | { path: string, error: string })[]} */
const results = [];
const products = [];
for (const [at, { path, maker }] of orders.entries()) {
  const payload = payloads[at] ?? new Uint8Array();
  try {
    const product =
      maker === "save"
        ? { bytes: payload }
        : await make(maker, JSON.parse(Buffer.from(payload).toString("utf8")), made);
    const { bytes, ...facts } = product;
    made.set(path, bytes);
    products.push(bytes);
    results.push({ path, ...facts });
  } catch (error) {
    results.push({ path, error: reasonOf(error) });
    products.push(new Uint8Array());
  }
}
for (const piece of packFrame(results, products)) process.stdout.write(piece);
process.stdout.write("", () => process.exit(0));
