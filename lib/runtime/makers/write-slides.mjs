import { createRequire } from "node:module";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { imageSize, plainText, readBlocks } from "./read-blocks.mjs";
import { COLOURS } from "./read-chart.mjs";
import { isRecord, Unmakeable } from "./table.mjs";

/** @typedef {import("./read-blocks.mjs").Block} Block */
/** @typedef {import("./read-blocks.mjs").Run} Run */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box in inches */
/** @typedef {import("pptxgenjs").default} Deck */
/** @typedef {ReturnType<Deck["addSlide"]>} Slide */

const require = createRequire(import.meta.url);
const INK = "1F3A5F";
const WIDTH = 13.33;
const HEIGHT = 7.5;
const MARGIN = 0.6;
const SLIDES_MAX = 200;
const FORM =
  "A presentation is {title?, subtitle?, slides: [{title, markdown}]}; in place of markdown, " +
  "content: a list of Markdown, {table}, {chart}, {image}; notes?";

/**
 * @param {unknown} spec
 * @param {import("./read-blocks.mjs").ReadFile} readFile
 * @returns {Promise<{ bytes: Uint8Array, slides: number }>}
 */
export async function writeSlides(spec, readFile) {
  const asked = Array.isArray(spec) ? { slides: spec } : spec;
  if (!isRecord(asked) || !Array.isArray(asked.slides)) throw new Unmakeable(FORM);
  if (asked.slides.length > SLIDES_MAX) throw new Unmakeable(`${SLIDES_MAX} slides are the most.`);
  // Its module for `import` has imports that Node does not take.
  const PptxGenJS = /** @type {typeof import("pptxgenjs").default} */ (require("pptxgenjs"));
  const deck = new PptxGenJS();
  deck.layout = "LAYOUT_WIDE";
  deck.author = "";
  deck.company = "";
  const title = typeof asked.title === "string" ? asked.title : "";
  deck.title = title;
  if (title !== "") addCover(deck, title, asked.subtitle);
  for (const [at, slide] of asked.slides.entries())
    await addSlide(deck, slide, `slides[${at}]`, readFile);
  const slides = asked.slides.length + (title === "" ? 0 : 1);
  if (slides === 0) throw new Unmakeable(FORM);
  const bytes = await deck.write({ outputType: "uint8array", compression: true });
  return { bytes: mended(/** @type {Uint8Array} */ (bytes)), slides };
}

/**
 * The library writes the properties of a paragraph before each of its runs, where PowerPoint takes
 * them before the first alone, and calls the file broken.
 * @param {Uint8Array} bytes
 */
function mended(bytes) {
  /** @type {import("fflate").Zippable} */
  const parts = unzipSync(bytes);
  for (const [name, part] of Object.entries(parts))
    if (/^ppt\/slides\/[^/]+\.xml$/.test(name) && part instanceof Uint8Array)
      parts[name] = strToU8(withFirstProperties(strFromU8(part)));
  return zipSync(parts, { level: 6 });
}

/** @param {string} xml */
function withFirstProperties(xml) {
  const [first = "", ...rest] = xml.split("<a:pPr");
  let text = first;
  for (const piece of rest) {
    const head = piece.indexOf(">");
    const end = piece[head - 1] === "/" ? head + 1 : piece.indexOf("</a:pPr>") + "</a:pPr>".length;
    text += text.endsWith("<a:p>") ? `<a:pPr${piece}` : piece.slice(end);
  }
  return text;
}

/**
 * @param {Deck} deck
 * @param {string} title
 * @param {unknown} subtitle
 */
function addCover(deck, title, subtitle) {
  const slide = deck.addSlide();
  slide.background = { color: INK };
  slide.addText(title, {
    x: MARGIN,
    y: 2.2,
    w: WIDTH - 2 * MARGIN,
    h: 1.8,
    fontSize: 40,
    bold: true,
    color: "FFFFFF",
    valign: "bottom",
    fit: "shrink",
  });
  if (typeof subtitle === "string")
    slide.addText(subtitle, {
      x: MARGIN,
      y: 4.1,
      w: WIDTH - 2 * MARGIN,
      h: 1,
      fontSize: 20,
      color: "CBD5E1",
      valign: "top",
    });
}

/**
 * @param {Deck} deck
 * @param {unknown} spec
 * @param {string} place
 * @param {import("./read-blocks.mjs").ReadFile} readFile
 */
async function addSlide(deck, spec, place, readFile) {
  if (!isRecord(spec)) throw new Unmakeable(`${place}: ${FORM}`);
  const slide = deck.addSlide();
  const hasTitle = typeof spec.title === "string" && spec.title !== "";
  if (hasTitle)
    slide.addText(String(spec.title), {
      x: MARGIN,
      y: 0.35,
      w: WIDTH - 2 * MARGIN,
      h: 0.9,
      fontSize: 28,
      bold: true,
      color: INK,
      valign: "middle",
      fit: "shrink",
    });
  const top = hasTitle ? 1.4 : MARGIN;
  const parts = arrange(await readBlocks(spec.content ?? spec.markdown ?? [], readFile));
  const box = { x: MARGIN, y: top, w: WIDTH - 2 * MARGIN, h: HEIGHT - top - 0.5 };
  divide(box, parts).forEach(([part, place]) => {
    addPart(deck, slide, part, place);
  });
  if (typeof spec.notes === "string") slide.addNotes(spec.notes);
}

/** @typedef {{ kind: "text", blocks: Block[] } | Exclude<Block, { kind: "paragraph" }>} Part */

/** Texts that stand together are one part. @param {Block[]} blocks */
function arrange(blocks) {
  /** @type {Part[]} */
  const parts = [];
  for (const block of blocks) {
    if (block.kind === "page" || block.kind === "rule") continue;
    if (block.kind === "table" || block.kind === "chart" || block.kind === "image") {
      parts.push(block);
      continue;
    }
    const last = parts.at(-1);
    if (last?.kind === "text") last.blocks.push(block);
    else parts.push({ kind: "text", blocks: [block] });
  }
  return parts;
}

const GAP = 0.35;

/**
 * Two parts stand side by side, more of them one below the other.
 * @param {Box} box
 * @param {Part[]} parts
 * @returns {[Part, Box][]}
 */
function divide(box, parts) {
  if (parts.length === 2) {
    const w = (box.w - GAP) / 2;
    return parts.map((part, at) => [part, { ...box, x: box.x + at * (w + GAP), w }]);
  }
  const wanted = parts.map((part) => wantedHeight(part, box.w));
  const room = box.h - GAP * (parts.length - 1);
  const scale =
    room /
    Math.max(
      room,
      wanted.reduce((sum, height) => sum + height, 0),
    );
  let y = box.y;
  return parts.map((part, at) => {
    const h = parts.length === 1 ? room : (wanted[at] ?? 0) * scale;
    /** @type {[Part, Box]} */
    const placed = [part, { ...box, y, h }];
    y += h + GAP;
    return placed;
  });
}

/**
 * @param {Part} part
 * @param {number} width
 */
function wantedHeight(part, width) {
  if (part.kind === "text") return linesOf(part.blocks, width) * 0.42;
  return part.kind === "table" ? (part.rows.length + 1) * 0.36 : 3;
}

/**
 * @param {Block[]} blocks
 * @param {number} width
 */
function linesOf(blocks, width) {
  return blocks.reduce(
    (sum, block) =>
      sum +
      textOf(block)
        .split("\n")
        .reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / (width * 7))), 0),
    0,
  );
}

/**
 * @param {Deck} deck
 * @param {Slide} slide
 * @param {Part} part
 * @param {Box} box
 */
function addPart(deck, slide, part, box) {
  if (part.kind === "text") addTexts(slide, part.blocks, box);
  else if (part.kind === "chart") addChart(deck, slide, part.chart, box);
  else if (part.kind === "table") addTable(slide, part, box);
  else if (part.kind === "image") addImage(slide, part, box);
}

/**
 * @param {Slide} slide
 * @param {Block[]} blocks
 * @param {Box} box
 */
function addTexts(slide, blocks, box) {
  const lines = linesOf(blocks, box.w);
  const fontSize = Math.max(11, Math.min(20, Math.floor((box.h * 72) / Math.max(1, lines) / 1.7)));
  const texts = blocks.flatMap((block) => textRuns(block, fontSize));
  slide.addText(texts, {
    ...box,
    valign: "top",
    fontSize,
    color: "1F2937",
    paraSpaceAfter: 6,
    fit: "shrink",
  });
}

/** @param {Block} block */
function textOf(block) {
  return block.kind === "code" ? block.text : "runs" in block ? plainText(block.runs) : "";
}

/**
 * @param {Block} block
 * @param {number} fontSize
 */
function textRuns(block, fontSize) {
  /** @type {Run[]} */
  const list =
    block.kind === "code" ? [{ text: block.text, code: true }] : "runs" in block ? block.runs : [];
  const paragraph =
    block.kind === "item"
      ? {
          bullet:
            block.number === null
              ? true
              : { type: /** @type {const} */ ("number"), numberStartAt: block.number },
          indentLevel: block.level,
        }
      : {};
  return (list.length === 0 ? [{ text: "" }] : list).map((run, at) => ({
    text: run.text,
    options: {
      // A bullet begins a paragraph, also in its midst.
      ...(at === 0 && paragraph),
      ...(at === list.length - 1 && { breakLine: true }),
      ...((run.bold || block.kind === "heading") && { bold: true }),
      ...(run.italics && { italic: true }),
      ...(run.code && { fontFace: "Consolas" }),
      ...(block.kind === "heading" && { color: INK, fontSize: fontSize + 2 }),
      ...(run.link && { hyperlink: { url: run.link } }),
    },
  }));
}

/**
 * @param {Slide} slide
 * @param {Block & { kind: "table" }} table
 * @param {Box} box
 */
function addTable(slide, { head, rows }, box) {
  const fits = Math.max(1, Math.floor(box.h / 0.26) - 1);
  if (rows.length > fits)
    throw new Unmakeable(
      `A table of ${rows.length} rows does not fit on a slide; ${fits} do here. Show the most ` +
        "telling ones.",
    );
  const fontSize = rows.length > 12 || head.length > 6 ? 10 : 13;
  const row = (/** @type {import("./read-blocks.mjs").TableCell[]} */ cells, isHead = false) =>
    cells.map(({ runs, align }) => ({
      text: plainText(runs),
      options: { align, ...(isHead && { bold: true, color: "FFFFFF", fill: { color: INK } }) },
    }));
  slide.addTable([row(head, true), ...rows.map((cells) => row(cells))], {
    x: box.x,
    y: box.y,
    w: box.w,
    fontSize,
    color: "1F2937",
    border: { type: "solid", pt: 0.5, color: "CBD5E1" },
    margin: 0.04,
  });
}

/**
 * @param {Slide} slide
 * @param {Block & { kind: "image" }} image
 * @param {Box} box
 */
function addImage(slide, { bytes, alt }, box) {
  const { width, height } = imageSize(bytes);
  const scale = Math.min(box.w / width, box.h / height);
  const [w, h] = [width * scale, height * scale];
  const type = bytes[0] === 0xff ? "jpeg" : "png";
  slide.addImage({
    data: `data:image/${type};base64,${Buffer.from(bytes).toString("base64")}`,
    x: box.x + (box.w - w) / 2,
    y: box.y + (box.h - h) / 2,
    w,
    h,
    altText: alt,
  });
}

/**
 * @param {Deck} deck
 * @param {Slide} slide
 * @param {import("./read-chart.mjs").Chart} chart
 * @param {Box} box
 */
function addChart(deck, slide, chart, box) {
  const { type, categories, series, xs, title, xTitle, yTitle } = chart;
  const types = deck.ChartType;
  const colours =
    type === "pie" ? categories.map((_, at) => COLOURS[at % COLOURS.length] ?? "") : COLOURS;
  const data =
    type === "scatter"
      ? [{ name: "x", values: xs }, ...series.map(({ name, values }) => ({ name, values }))]
      : series.map(({ name, values }) => ({ name, labels: categories, values }));
  // Its types know one direction of categories alone, its code both.
  const order = /** @type {{ catAxisOrientation?: "minMax" }} */ (
    type === "bar" && chart.horizontal ? { catAxisOrientation: "maxMin" } : {}
  );
  slide.addChart(types[type], /** @type {import("pptxgenjs").default.OptsChartData[]} */ (data), {
    ...box,
    ...order,
    chartColors: colours,
    showTitle: title !== "",
    ...(title !== "" && { title, titleFontSize: 16 }),
    showLegend: type === "pie" || series.length > 1,
    legendPos: "b",
    catAxisLabelFontSize: 11,
    valAxisLabelFontSize: 11,
    valAxisLabelFormatCode: "#,##0.##",
    valGridLine: { color: "D9DEE5", size: 0.5 },
    ...(xTitle !== "" && { showCatAxisTitle: true, catAxisTitle: xTitle }),
    ...(yTitle !== "" && { showValAxisTitle: true, valAxisTitle: yTitle }),
    ...(type === "bar" && {
      barDir: chart.horizontal ? "bar" : "col",
      barGrouping: chart.stacked ? "stacked" : "clustered",
      barGapWidthPct: 60,
    }),
    ...(type === "line" && { lineDataSymbol: "none", lineSize: 2.25 }),
    ...(type === "scatter" && { lineSize: 0 }),
    ...(type === "pie" && { showPercent: true, dataLabelColor: "FFFFFF" }),
  });
}
