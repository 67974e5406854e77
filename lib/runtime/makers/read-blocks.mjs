import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { readChart } from "./read-chart.mjs";
import { isRecord, readTable, shown, toTime, Unmakeable } from "./table.mjs";

/**
 * What documents are made of: Markdown, which models write anyway, and beside it tables, charts and
 * pictures of data that code has computed.
 * @typedef {{ text: string, bold?: boolean, italics?: boolean, code?: boolean, strike?: boolean, link?: string }} Run
 * @typedef {{ runs: Run[], align: "left" | "right" | "center" }} TableCell
 * @typedef {{ kind: "heading", level: number, runs: Run[] }
 *   | { kind: "paragraph", runs: Run[], isQuote?: boolean }
 *   | { kind: "code", text: string }
 *   | { kind: "item", runs: Run[], level: number, list: number, number: number | null }
 *   | { kind: "rule" }
 *   | { kind: "table", head: TableCell[], rows: TableCell[][] }
 *   | { kind: "chart", chart: import("./read-chart.mjs").Chart }
 *   | { kind: "image", bytes: Uint8Array, alt: string }
 *   | { kind: "page" }} Block
 */

/** @typedef {ReturnType<typeof fromMarkdown>["children"][number]} Node */
/** @typedef {Extract<Node, { type: "paragraph" }>["children"][number]} Phrase */

/** Files that were made before, by their paths. @typedef {Map<string, Uint8Array>} Made */

const TEXT_MAX_CHARACTERS = 1_000_000;
const DEPTH_MAX = 30;
const CELLS_MAX = 50_000;
const FORM =
  'content is Markdown, or a list of Markdown texts and blocks: {table: rows, columns?}, {chart: {type, data, x, y, title}}, {image: "path of a PNG or JPEG made before"}, {page_break: true}.';

/**
 * @param {unknown} content
 * @param {Made} made
 * @returns {Block[]}
 */
export function readBlocks(content, made) {
  if (content === undefined) throw new Unmakeable(FORM);
  const lists = { count: 0 };
  return [content].flat().flatMap((part, at) => readPart(part, `content[${at}]`, made, lists));
}

/**
 * @param {unknown} part
 * @param {string} place
 * @param {Made} made
 * @param {{ count: number }} lists
 * @returns {Block[]}
 */
function readPart(part, place, made, lists) {
  if (typeof part === "string") return readMarkdown(part, lists);
  if (!isRecord(part)) throw new Unmakeable(FORM);
  if (part.table !== undefined)
    return [tableBlock(readTable(part.table, `table of ${place}`, part.columns))];
  if (part.chart !== undefined)
    return [{ kind: "chart", chart: readChart(part.chart, `chart of ${place}`) }];
  if (part.image !== undefined) return [imageBlock(part, made)];
  if (part.page_break === true || part.pageBreak === true) return [{ kind: "page" }];
  const markdown = part.markdown ?? part.text;
  if (typeof markdown === "string") return readMarkdown(markdown, lists);
  throw new Unmakeable(FORM);
}

/**
 * @param {Record<string, unknown>} part
 * @param {Made} made
 * @returns {Block}
 */
function imageBlock({ image, alt }, made) {
  const bytes = made.get(String(image));
  if (!bytes)
    throw new Unmakeable(
      `There is no ${JSON.stringify(image)} among the files of this call made before it: ${[...made.keys()].join(", ") || "none"}.`,
    );
  if (imageType(bytes) === null) throw new Unmakeable(`${String(image)} is neither PNG nor JPEG.`);
  return { kind: "image", bytes, alt: typeof alt === "string" ? alt : "" };
}

/**
 * @param {Uint8Array} bytes
 * @returns {"png" | "jpg" | null}
 */
export function imageType(bytes) {
  if (bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47)
    return "png";
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff ? "jpg" : null;
}

/**
 * The width and height of a picture in pixels.
 * @param {Uint8Array} bytes
 * @returns {{ width: number, height: number }}
 */
export function imageSize(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (imageType(bytes) === "png" && bytes.length > 24)
    return { width: view.getUint32(16), height: view.getUint32(20) };
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  throw new Unmakeable("A picture's header is broken.");
}

/**
 * @param {import("./table.mjs").Table} table
 * @returns {Block}
 */
function tableBlock({ columns, rows }) {
  if (columns.length * rows.length > CELLS_MAX)
    throw new Unmakeable(
      `A table of a document has at most ${CELLS_MAX} cells; this one has ${rows.length} rows. Put them into a workbook, and the most telling ones here.`,
    );
  const isNumber = columns.map(
    (_, at) =>
      rows.some((row) => typeof row[at] === "number") &&
      rows.every((row) => row[at] === null || typeof row[at] === "number"),
  );
  const align = (/** @type {number} */ at) =>
    /** @type {TableCell["align"]} */ (isNumber[at] ? "right" : "left");
  return {
    kind: "table",
    head: columns.map((name, at) => ({ runs: [{ text: name }], align: align(at) })),
    rows: rows.map((row) =>
      row.map((cell, at) => ({ runs: [{ text: asShown(cell) }], align: align(at) })),
    ),
  };
}

/** @param {import("./table.mjs").Cell} cell */
function asShown(cell) {
  const text = shown(cell);
  return typeof cell === "string" && toTime(cell) !== null ? text.replace("T", " ") : text;
}

/**
 * @param {string} text
 * @param {{ count: number }} lists
 * @returns {Block[]}
 */
export function readMarkdown(text, lists) {
  if (text.length > TEXT_MAX_CHARACTERS)
    throw new Unmakeable(`A text has at most ${TEXT_MAX_CHARACTERS} characters.`);
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return tree.children.flatMap((node) => blockOf(node, lists, 0));
}

/**
 * @param {Node} node
 * @param {{ count: number }} lists
 * @param {number} depth
 * @returns {Block[]}
 */
function blockOf(node, lists, depth) {
  if (depth > DEPTH_MAX) return [];
  switch (node.type) {
    case "heading":
      return [{ kind: "heading", level: node.depth, runs: runsOf(node.children) }];
    case "paragraph":
      return [{ kind: "paragraph", runs: runsOf(node.children) }];
    case "code":
      return [{ kind: "code", text: node.value }];
    case "thematicBreak":
      return [{ kind: "rule" }];
    case "blockquote":
      return node.children
        .flatMap((child) => blockOf(child, lists, depth + 1))
        .map((block) => (block.kind === "paragraph" ? { ...block, isQuote: true } : block));
    case "list":
      return itemsOf(node, lists, depth);
    case "table":
      return [markdownTable(node)];
    case "html":
      return [];
    default:
      return "children" in node ? [{ kind: "paragraph", runs: runsOf([node]) }] : [];
  }
}

/**
 * @param {Extract<Node, { type: "list" }>} node
 * @param {{ count: number }} lists
 * @param {number} depth
 * @returns {Block[]}
 */
function itemsOf(node, lists, depth) {
  lists.count += 1;
  const list = lists.count;
  const level = Math.min(depth, 5);
  return node.children.flatMap((item, at) => {
    const [first, ...rest] = item.children;
    const isText = first?.type === "paragraph";
    const box =
      item.checked === null || item.checked === undefined ? "" : item.checked ? "[x] " : "[ ] ";
    const runs = isText ? runsOf(first.children) : [];
    return [
      {
        kind: /** @type {const} */ ("item"),
        runs: box === "" ? runs : [{ text: box }, ...runs],
        level,
        list,
        number: node.ordered ? (node.start ?? 1) + at : null,
      },
      ...(isText ? rest : item.children).flatMap((child) => blockOf(child, lists, depth + 1)),
    ];
  });
}

/**
 * @param {Extract<Node, { type: "table" }>} node
 * @returns {Block}
 */
function markdownTable(node) {
  const [head = [], ...rows] = node.children.map((row) =>
    row.children.map((cell, at) => ({
      runs: runsOf(cell.children),
      align: /** @type {TableCell["align"]} */ (node.align?.[at] ?? "left"),
    })),
  );
  return {
    kind: "table",
    head,
    rows: rows.map((row) => head.map((cell, at) => row[at] ?? { runs: [], align: cell.align })),
  };
}

/**
 * @param {unknown[]} nodes
 * @param {Omit<Run, "text">} [style]
 * @param {number} [depth]
 * @returns {Run[]}
 */
function runsOf(nodes, style = {}, depth = 0) {
  if (depth > DEPTH_MAX) return [];
  return /** @type {Phrase[]} */ (nodes).flatMap((node) => {
    switch (node.type) {
      case "text":
        return [{ ...style, text: inOneLine(node.value) }];
      case "break":
        return [{ ...style, text: "\n" }];
      case "inlineCode":
        return [{ ...style, code: true, text: node.value }];
      case "strong":
        return runsOf(node.children, { ...style, bold: true }, depth + 1);
      case "emphasis":
        return runsOf(node.children, { ...style, italics: true }, depth + 1);
      case "delete":
        return runsOf(node.children, { ...style, strike: true }, depth + 1);
      case "link":
        return runsOf(node.children, linked(style, node.url), depth + 1);
      // Nothing is fetched: of a picture elsewhere its words are left.
      case "image":
        return node.alt ? [{ ...style, text: node.alt }] : [];
      default:
        return "children" in node ? runsOf(node.children, style, depth + 1) : [];
    }
  });
}

/**
 * @param {Omit<Run, "text">} style
 * @param {string} url
 */
function linked(style, url) {
  return /^(?:https?:\/\/|mailto:)/i.test(url) && URL.canParse(url)
    ? { ...style, link: url }
    : style;
}

/** @param {string} text */
function inOneLine(text) {
  if (!text.includes("\n")) return text;
  return text
    .split("\n")
    .map((line, at) => (at === 0 ? line.trimEnd() : line.trim()))
    .join(" ");
}

/** @param {Run[]} runs */
export function plainText(runs) {
  return runs.map(({ text }) => text).join("");
}
