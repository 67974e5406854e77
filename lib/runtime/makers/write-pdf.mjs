import { createRequire } from "node:module";
import { drawChart } from "./draw-chart.mjs";
import { FONT_FAMILY, FONT_FILES } from "./fonts.mjs";
import { documentOf, plainText, readBlocks } from "./read-blocks.mjs";
import { Unmakeable } from "./table.mjs";

/** @typedef {import("./read-blocks.mjs").Block} Block */
/** @typedef {import("./read-blocks.mjs").Run} Run */
/** @typedef {Record<string, unknown>} Node */

/**
 * What we use of pdfmake, which brings no types.
 * @typedef {object} PdfMaker
 * @property {(fonts: object) => void} setFonts
 * @property {(allow: () => boolean) => void} setUrlAccessPolicy
 * @property {(allow: (path: string) => boolean) => void} setLocalAccessPolicy
 * @property {(definition: object) => { getBuffer(): Promise<Uint8Array> }} createPdf
 */

const require = createRequire(import.meta.url);
const INK = "#1F3A5F";
/** What a text is made smaller by until it fits the pages that were asked for. */
const SIZES = [10.5, 9.75, 9, 8.25, 7.5, 6.75, 6];
const PAGES_MAX = 500;
const MARGIN = 48;
/** A table of so many columns takes the whole width, each the same. */
const COLUMNS_OF_ONE_WIDTH = 6;
/** In points. */
const FORMATS = { A4: [595, 842], LETTER: [612, 792] };

/**
 * @param {unknown} spec {title?, content or markdown, landscape?, page_size?, max_pages?}, or the
 *   content alone
 * @param {import("./read-blocks.mjs").ReadFile} readFile
 * @returns {Promise<{ bytes: Uint8Array, pages: number, note?: string }>}
 */
export async function writePdf(spec, readFile) {
  const asked = documentOf(spec);
  const maker = loadMaker();
  const blocks = await readBlocks(asked.content, readFile);
  const wanted = asked.max_pages ?? asked.maxPages;
  const most = typeof wanted === "number" && wanted >= 1 ? Math.floor(wanted) : PAGES_MAX;
  const pictures = drawPictures(blocks);
  const lost = lostCharacters(`${asked.title ?? ""}${blocks.map(textOf).join("")}`);
  let result = { bytes: new Uint8Array(), pages: 0 };
  for (const size of SIZES) {
    const counted = { pages: 0 };
    const definition = definitionOf(asked, blocks, pictures, size, counted);
    const bytes = await maker.createPdf(definition).getBuffer();
    result = { bytes: new Uint8Array(bytes), pages: counted.pages };
    if (result.pages <= most) return { ...result, ...noted(lost) };
    if (most === PAGES_MAX)
      throw new Unmakeable(`It would have ${result.pages} pages; ${PAGES_MAX} is the most.`);
  }
  const tooLong =
    `It has ${result.pages} pages even with small type; ${most} were asked for. Leave something ` +
    "out.";
  return { ...result, ...noted(tooLong, lost) };
}

/** @param {string[]} notes */
function noted(...notes) {
  const note = notes.filter((one) => one !== "").join(" ");
  return note === "" ? {} : { note };
}

const LOST_SHOWN = 20;

/**
 * A sentence about the characters that the font does not have; empty where it has all.
 * @param {string} text
 */
function lostCharacters(text) {
  /** @type {{ openSync(path: string): { hasGlyphForCodePoint(point: number): boolean } }} */
  const fontkit = require("fontkit");
  const font = fontkit.openSync(FONT_FILES.normal);
  const lost = [...new Set(text)].filter(
    (one) => !/\s/.test(one) && !font.hasGlyphForCodePoint(one.codePointAt(0) ?? 0),
  );
  return lost.length === 0
    ? ""
    : "The PDF's font has Latin, Greek and Cyrillic letters; these are missing: " +
        `${lost.slice(0, LOST_SHOWN).join(" ")}. Write them otherwise, or make a .docx.`;
}

/** @param {Block} block */
function textOf(block) {
  if (block.kind === "code") return block.text;
  if (block.kind === "table")
    return [block.head, ...block.rows]
      .flat()
      .map(({ runs: list }) => plainText(list))
      .join("");
  return "runs" in block ? plainText(block.runs) : "";
}

/** @returns {PdfMaker} */
function loadMaker() {
  // CommonJS, as the package has it.
  const maker = /** @type {PdfMaker} */ (require("pdfmake"));
  const fonts = new Set(Object.values(FONT_FILES));
  maker.setUrlAccessPolicy(() => false);
  maker.setLocalAccessPolicy((path) => fonts.has(path));
  maker.setFonts({ [FONT_FAMILY]: FONT_FILES });
  return maker;
}

/**
 * Charts as lines and letters, pictures as they are.
 * @param {Block[]} blocks
 * @returns {Map<Block, Node>}
 */
function drawPictures(blocks) {
  const pictures = new Map();
  for (const block of blocks)
    if (block.kind === "chart") pictures.set(block, { svg: drawChart(block.chart) });
    else if (block.kind === "image")
      pictures.set(block, {
        image: dataUrl(block.bytes, block.bytes[0] === 0xff ? "jpeg" : "png"),
      });
  return pictures;
}

/**
 * @param {Uint8Array} bytes
 * @param {string} type
 */
function dataUrl(bytes, type) {
  return `data:image/${type};base64,${Buffer.from(bytes).toString("base64")}`;
}

/**
 * @param {Record<string, unknown>} asked
 * @param {Block[]} blocks
 * @param {Map<Block, Node>} pictures
 * @param {number} size of the text, in points
 * @param {{ pages: number }} counted
 */
function definitionOf(asked, blocks, pictures, size, counted) {
  const title = typeof asked.title === "string" ? asked.title : "";
  const isLandscape = asked.landscape === true;
  const format = String(asked.page_size).toUpperCase() === "LETTER" ? "LETTER" : "A4";
  const [short = 595, long = 842] = FORMATS[format];
  const box = {
    width: (isLandscape ? long : short) - 2 * MARGIN,
    height: ((isLandscape ? short : long) - 2 * MARGIN) * 0.42,
  };
  return {
    pageSize: format,
    pageOrientation: isLandscape ? "landscape" : "portrait",
    pageMargins: [MARGIN, MARGIN, MARGIN, MARGIN],
    info: { title, creator: "", producer: "" },
    defaultStyle: { font: FONT_FAMILY, fontSize: size, lineHeight: 1.25, color: "#111827" },
    footer: (/** @type {number} */ page, /** @type {number} */ pages) => {
      counted.pages = pages;
      return pages < 2
        ? null
        : {
            text: `${page} / ${pages}`,
            alignment: "center",
            fontSize: 8,
            color: "#64748B",
            margin: [0, 12, 0, 0],
          };
    },
    content: [
      ...(title === ""
        ? []
        : [{ text: title, fontSize: size * 2, bold: true, color: INK, margin: [0, 0, 0, size] }]),
      ...blocks.map((block) => nodeOf(block, pictures, size, box)),
    ],
  };
}

/**
 * @param {Block} block
 * @param {Map<Block, Node>} pictures
 * @param {number} size
 * @param {{ width: number, height: number }} box
 * @returns {Node}
 */
function nodeOf(block, pictures, size, box) {
  switch (block.kind) {
    case "heading":
      return {
        text: runs(block.runs),
        bold: true,
        color: INK,
        fontSize: size * ([1.6, 1.35, 1.2][block.level - 1] ?? 1.05),
        margin: [0, size * 0.8, 0, size * 0.4],
      };
    case "paragraph":
      return {
        text: runs(block.runs),
        margin: [block.isQuote ? 14 : 0, 0, 0, size * 0.6],
        ...(block.isQuote && { color: "#475569", italics: true }),
      };
    case "code":
      return {
        table: {
          widths: ["*"],
          body: [[{ text: block.text, preserveLeadingSpaces: true, fontSize: size * 0.9 }]],
        },
        layout: { hLineWidth: () => 0, vLineWidth: () => 0, fillColor: () => "#F1F5F9" },
        margin: [0, 0, 0, size * 0.6],
      };
    case "item":
      return {
        columns: [
          { width: 14, text: block.number === null ? "•" : `${block.number}.` },
          { width: "*", text: runs(block.runs) },
        ],
        margin: [block.level * 14 + 4, 0, 0, size * 0.25],
      };
    case "rule":
      return {
        canvas: [
          {
            type: "line",
            x1: 0,
            y1: 0,
            x2: box.width,
            y2: 0,
            lineWidth: 0.7,
            lineColor: "#CBD5E1",
          },
        ],
        margin: [0, size * 0.5, 0, size * 0.5],
      };
    case "table":
      return tableNode(block, size);
    case "chart":
    case "image":
      return {
        ...pictures.get(block),
        fit: [box.width, box.height * (size / 10.5)],
        alignment: "center",
        margin: [0, 4, 0, size * 0.6],
      };
    case "page":
      return { text: "", pageBreak: "after" };
  }
}

/**
 * @param {Block & { kind: "table" }} block
 * @param {number} size
 * @returns {Node}
 */
function tableNode({ head, rows }, size) {
  const small = head.length > 6 ? size * 0.85 : size * 0.95;
  const cell = (/** @type {import("./read-blocks.mjs").TableCell} */ one) => ({
    text: runs(one.runs),
    alignment: one.align,
    fontSize: small,
  });
  return {
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: head.map(() => (head.length > COLUMNS_OF_ONE_WIDTH ? "auto" : "*")),
      body: [
        head.map((one) => ({ ...cell(one), bold: true, color: "#FFFFFF", fillColor: INK })),
        ...rows.map((row) => row.map(cell)),
      ],
    },
    layout: {
      hLineWidth: () => 0.5,
      vLineWidth: () => 0,
      hLineColor: () => "#CBD5E1",
      paddingTop: () => 2.5,
      paddingBottom: () => 2.5,
    },
    margin: [0, 2, 0, size * 0.8],
  };
}

/** @param {Run[]} list @returns {Node[]} */
function runs(list) {
  return list.map(({ text, bold, italics, strike, code, link }) => ({
    text,
    ...(bold && { bold }),
    ...(italics && { italics }),
    ...(strike && { decoration: "lineThrough" }),
    ...(code && { background: "#F1F5F9" }),
    ...(link && { link, color: "#1D4ED8", decoration: "underline" }),
  }));
}
