/**
 * The process in which files are made, one after another: of what code in the sandbox has handed
 * over, which is data alone. Its heap is bounded by an option; its parent watches the rest of its
 * memory and kills it at a deadline.
 */
import { ask, readFrame, writeFrame } from "../sandbox/parent.mjs";
import { isRecord, Unmakeable } from "./table.mjs";

/** @typedef {"xlsx" | "docx" | "pptx" | "pdf" | "csv" | "svg" | "png" | "zip"} Maker */
/** @typedef {{ bytes: Uint8Array, pages?: number, slides?: number, note?: string }} Product */

/**
 * @param {Maker} maker
 * @param {unknown} spec
 * @returns {Promise<Product>}
 */
async function make(maker, spec) {
  switch (maker) {
    case "xlsx":
      return { bytes: (await import("./write-workbook.mjs")).writeWorkbook(spec) };
    case "docx": {
      const { writeTextDocument } = await import("./write-text-document.mjs");
      return { bytes: await writeTextDocument(spec, readFile) };
    }
    case "pptx":
      return (await import("./write-slides.mjs")).writeSlides(spec, readFile);
    case "pdf":
      return (await import("./write-pdf.mjs")).writePdf(spec, readFile);
    case "csv":
      return { bytes: (await import("./write-csv.mjs")).writeCsv(spec) };
    case "svg":
    case "png":
      return { bytes: await picture(maker, spec) };
    case "zip":
      return { bytes: (await import("./write-zip.mjs")).writeZip(spec, readFile) };
  }
}

/**
 * A file that an order names. Our parent decides which there are.
 * @param {string} path
 */
function readFile(path) {
  try {
    return ask({ need: path })?.payload ?? null;
  } catch (error) {
    throw new Unmakeable(error instanceof Error ? error.message : "It cannot be read.");
  }
}

/**
 * @param {"svg" | "png"} type
 * @param {unknown} spec a chart, or for a PNG the text of an SVG
 * @returns {Promise<Uint8Array>}
 */
async function picture(type, spec) {
  const { drawChart, toPng } = await import("./draw-chart.mjs");
  const { readChart } = await import("./read-chart.mjs");
  const given = isRecord(spec) ? spec.svg : spec;
  const svg =
    type === "png" && typeof given === "string" ? given : drawChart(readChart(spec, "The chart"));
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
for (;;) {
  const { header, payload } = readFrame();
  try {
    const { bytes, ...facts } = await make(header.maker, JSON.parse(payload.toString("utf8")));
    writeFrame({ made: facts }, bytes);
  } catch (error) {
    writeFrame({ error: reasonOf(error) });
  }
}
