import {
  AlignmentType,
  BorderStyle,
  Document,
  ExternalHyperlink,
  Footer,
  HeadingLevel,
  ImageRun,
  LevelFormat,
  Packer,
  PageNumber,
  PageOrientation,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from "docx";
import { ChartRun } from "docx/charts";
import { documentOf, imageSize, imageType, readBlocks } from "./read-blocks.mjs";
import { COLOURS } from "./read-chart.mjs";

/** @typedef {import("./read-blocks.mjs").Block} Block */
/** @typedef {import("./read-blocks.mjs").Run} Run */

const FONT = "Calibri";
const INK = "1F3A5F";
/** In pixels of 96 an inch: A4 without its margins. */
const TEXT_WIDTH = { portrait: 602, landscape: 930 };
const PAGE = { width: 11_906, height: 16_838 };
const LEVELS = [0, 1, 2, 3, 4, 5];

/**
 * @param {unknown} spec {title?, content or markdown, landscape?}, or the content alone
 * @param {import("./read-blocks.mjs").ReadFile} readFile
 * @returns {Promise<Uint8Array>}
 */
export async function writeTextDocument(spec, readFile) {
  const { title, content, landscape } = documentOf(spec);
  const blocks = await readBlocks(content, readFile);
  const width = landscape === true ? TEXT_WIDTH.landscape : TEXT_WIDTH.portrait;
  const head =
    typeof title === "string" && title !== ""
      ? [new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun({ text: title })] })]
      : [];
  const numbered = new Set(
    blocks.flatMap((block) => (block.kind === "item" && block.number !== null ? [block.list] : [])),
  );
  const document = new Document({
    ...(typeof title === "string" && { title }),
    creator: "",
    styles: styles(),
    numbering: { config: [...numbered].map(numbering) },
    sections: [
      {
        properties: {
          page: {
            size: {
              ...PAGE,
              orientation:
                landscape === true ? PageOrientation.LANDSCAPE : PageOrientation.PORTRAIT,
            },
            margin: { top: 1_300, bottom: 1_300, left: 1_440, right: 1_440 },
          },
        },
        footers: { default: pageNumbers() },
        children: [...head, ...blocks.flatMap((block) => partsOf(block, width))],
      },
    ],
  });
  return new Uint8Array(await Packer.toBuffer(document));
}

function styles() {
  const heading = (/** @type {number} */ size) => ({
    run: { font: FONT, size, bold: true, color: INK },
    paragraph: { spacing: { before: 280, after: 100 }, keepNext: true },
  });
  return {
    default: {
      document: { run: { font: FONT, size: 22 }, paragraph: { spacing: { after: 120 } } },
      title: {
        run: { font: FONT, size: 44, bold: true, color: INK },
        paragraph: { spacing: { after: 240 } },
      },
      heading1: heading(32),
      heading2: heading(27),
      heading3: heading(24),
      heading4: heading(22),
      heading5: heading(22),
      heading6: heading(22),
    },
  };
}

/** @param {number} list */
function numbering(list) {
  return {
    reference: `list${list}`,
    levels: LEVELS.map((level) => ({
      level,
      format: LevelFormat.DECIMAL,
      text: `%${level + 1}.`,
      alignment: AlignmentType.LEFT,
      style: { paragraph: { indent: { left: 480 * (level + 1), hanging: 360 } } },
    })),
  };
}

function pageNumbers() {
  return new Footer({
    children: [
      new Paragraph({
        alignment: AlignmentType.CENTER,
        children: [
          new TextRun({
            size: 18,
            color: "64748B",
            children: [PageNumber.CURRENT, " / ", PageNumber.TOTAL_PAGES],
          }),
        ],
      }),
    ],
  });
}

const HEADINGS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
];

/**
 * @param {Block} block
 * @param {number} width of the text
 */
function partsOf(block, width) {
  switch (block.kind) {
    case "heading": {
      const heading = HEADINGS[block.level - 1];
      return [new Paragraph({ ...(heading && { heading }), children: runs(block.runs) })];
    }
    case "paragraph":
      return [
        new Paragraph({
          children: runs(block.runs),
          ...(block.isQuote && {
            indent: { left: 400 },
            border: { left: { style: BorderStyle.SINGLE, size: 18, color: "CBD5E1", space: 10 } },
          }),
        }),
      ];
    case "code":
      return block.text.split("\n").map(
        (line) =>
          new Paragraph({
            spacing: { after: 0 },
            shading: { type: ShadingType.CLEAR, fill: "F1F5F9" },
            children: [new TextRun({ text: line, font: "Consolas", size: 19 })],
          }),
      );
    case "item":
      return [
        new Paragraph({
          children: runs(block.runs),
          spacing: { after: 60 },
          ...(block.number === null
            ? { bullet: { level: block.level } }
            : { numbering: { reference: `list${block.list}`, level: block.level } }),
        }),
      ];
    case "rule":
      return [
        new Paragraph({
          children: [],
          border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: "CBD5E1", space: 1 } },
        }),
      ];
    case "table":
      return [tableOf(block), new Paragraph({ children: [], spacing: { after: 60 } })];
    case "chart":
      return [new Paragraph({ children: [chartOf(block.chart, width)] })];
    case "image":
      return [new Paragraph({ children: [imageOf(block, width)] })];
    case "page":
      return [new Paragraph({ children: [], pageBreakBefore: true })];
  }
}

/** @param {Run[]} list */
function runs(list) {
  return list.map((run) => {
    const { link } = run;
    return link === undefined
      ? textRun(run)
      : new ExternalHyperlink({ link, children: [textRun(run, "1D4ED8")] });
  });
}

/**
 * @param {Run} run
 * @param {string} [color]
 */
function textRun({ text, bold, italics, strike, code }, color) {
  const lines = text.split("\n");
  return new TextRun({
    ...(bold && { bold }),
    ...(italics && { italics }),
    ...(strike && { strike }),
    ...(code && { font: "Consolas" }),
    ...(color && { color, underline: {} }),
    ...(lines.length > 1 ? { break: 1, text: lines.slice(1).join(" ") } : { text }),
  });
}

/** @param {Block & { kind: "table" }} block */
function tableOf({ head, rows }) {
  const line = { style: BorderStyle.SINGLE, size: 4, color: "CBD5E1" };
  const cell = (
    /** @type {import("./read-blocks.mjs").TableCell} */ { runs: list, align },
    isHead = false,
  ) =>
    new TableCell({
      margins: { top: 40, bottom: 40, left: 100, right: 100 },
      ...(isHead && { shading: { type: ShadingType.CLEAR, fill: INK } }),
      children: [
        new Paragraph({
          alignment: {
            left: AlignmentType.LEFT,
            right: AlignmentType.RIGHT,
            center: AlignmentType.CENTER,
          }[align],
          spacing: { after: 0 },
          children: isHead
            ? list.map(({ text }) => new TextRun({ text, bold: true, color: "FFFFFF" }))
            : runs(list),
        }),
      ],
    });
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    borders: {
      top: line,
      bottom: line,
      left: line,
      right: line,
      insideHorizontal: line,
      insideVertical: line,
    },
    rows: [
      new TableRow({ tableHeader: true, children: head.map((one) => cell(one, true)) }),
      ...rows.map(
        (row) => new TableRow({ cantSplit: true, children: row.map((one) => cell(one)) }),
      ),
    ],
  });
}

/**
 * @param {import("./read-chart.mjs").Chart} chart
 * @param {number} width
 */
function chartOf(chart, width) {
  const base = {
    ...(chart.title !== "" && { title: chart.title }),
    transformation: { width, height: Math.round((width * 9) / 16) },
    chartArea: { border: /** @type {const} */ ("none") },
  };
  const colour = (/** @type {number} */ at) => COLOURS[at % COLOURS.length];
  if (chart.type === "pie")
    return new ChartRun({
      ...base,
      type: "pie",
      categories: chart.categories,
      dataLabels: { percentage: true },
      series: chart.series.map(({ name, values }) => ({
        name,
        values,
        colors: values.map((_, at) => colour(at)),
      })),
    });
  const legend = chart.series.length > 1 ? {} : { legend: /** @type {const} */ (false) };
  if (chart.type === "scatter")
    return new ChartRun({
      ...base,
      ...legend,
      type: "scatter",
      ...axes("xAxis", "yAxis", chart),
      series: chart.series.map(({ name, values }, at) => ({
        name,
        color: colour(at) ?? "",
        points: values.flatMap((y, index) => {
          const x = chart.xs[index] ?? Number.NaN;
          return y === null || Number.isNaN(x) ? [] : [{ x, y }];
        }),
      })),
    });
  return new ChartRun({
    ...base,
    ...legend,
    type: chart.type === "bar" && !chart.horizontal ? "column" : chart.type,
    ...axes("categoryAxis", "valueAxis", chart),
    ...(chart.stacked && { stacking: "stacked" }),
    categories: chart.categories,
    series: chart.series.map(({ name, values }, at) => ({ name, values, color: colour(at) ?? "" })),
  });
}

/**
 * @param {string} x
 * @param {string} y
 * @param {import("./read-chart.mjs").Chart} chart
 */
function axes(x, y, { xTitle, yTitle }) {
  return {
    ...(xTitle !== "" && { [x]: { title: xTitle } }),
    [y]: { ...(yTitle !== "" && { title: yTitle }), numberFormat: "#,##0.##" },
  };
}

/**
 * @param {Block & { kind: "image" }} block
 * @param {number} width
 */
function imageOf({ bytes, alt }, width) {
  const size = imageSize(bytes);
  // Charts are drawn at twice their size.
  const shown = Math.min(width, size.width / 2 > 200 ? size.width / 2 : size.width);
  return new ImageRun({
    type: imageType(bytes) ?? "png",
    data: bytes,
    transformation: { width: shown, height: (shown * size.height) / size.width },
    altText: { name: alt || "Picture", description: alt, title: alt },
  });
}
