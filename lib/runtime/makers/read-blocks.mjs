import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { readChart } from "./read-chart.mjs";
import { isRecord, readTable, shown, toTime, Unmakeable } from "./table.mjs";

/**
 * What documents are made of: Markdown, which models write anyway, and beside it tables, charts and
 * pictures of data that code has computed.
 * @typedef {{ text: string, bold?: boolean, italics?: boolean, code?: boolean, strike?: boolean,
 * link?: string }} Run
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

/**
 * The bytes of a file of the run or its workspace; null where there is none.
 * @typedef {(path: string) => Uint8Array | null} ReadFile
 */

const TEXT_MAX_CHARACTERS = 1_000_000;
const DEPTH_MAX = 30;
const CELLS_MAX = 50_000;
const FORM =
  "content is Markdown, or a list of Markdown texts and blocks: {table: rows, columns?}, {chart: " +
  '{type, data, x, y, title}}, {image: "path of a PNG, JPEG or SVG"}, {page_break: true}.';
/** What an address begins with, of a thing elsewhere. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * What a document is asked for: {title?, content} or {title?, markdown}, or the content alone.
 * @param {unknown} spec
 * @returns {Record<string, unknown>}
 */
export function documentOf(spec) {
  if (!isRecord(spec)) return { content: spec };
  if (spec.content !== undefined) return spec;
  return typeof spec.markdown === "string"
    ? { ...spec, content: spec.markdown }
    : { content: spec };
}

/**
 * @param {unknown} content
 * @param {ReadFile} readFile
 * @returns {Promise<Block[]>}
 */
export async function readBlocks(content, readFile) {
  if (content === undefined) throw new Unmakeable(FORM);
  const lists = { count: 0 };
  const blocks = [content]
    .flat()
    .flatMap((part, at) => readPart(part, `content[${at}]`, readFile, lists));
  for (const block of blocks)
    if (block.kind === "image" && imageType(block.bytes) === null) {
      const { toPng } = await import("./draw-chart.mjs");
      block.bytes = await toPng(Buffer.from(block.bytes).toString("utf8"));
    }
  return blocks;
}

/**
 * @param {unknown} part
 * @param {string} place
 * @param {ReadFile} readFile
 * @param {{ count: number }} lists
 * @returns {Block[]}
 */
function readPart(part, place, readFile, lists) {
  if (typeof part === "string") return readMarkdown(part, lists, readFile);
  if (!isRecord(part)) throw new Unmakeable(FORM);
  if (part.table !== undefined)
    return [tableBlock(readTable(part.table, `table of ${place}`, part.columns))];
  if (part.chart !== undefined)
    return [{ kind: "chart", chart: readChart(part.chart, `chart of ${place}`) }];
  if (part.image !== undefined) return [imageBlock(part.image, part.alt, readFile)];
  if (part.page_break === true || part.pageBreak === true) return [{ kind: "page" }];
  const markdown = part.markdown ?? part.text;
  if (typeof markdown === "string") return readMarkdown(markdown, lists, readFile);
  throw new Unmakeable(FORM);
}

/**
 * @param {unknown} image its path
 * @param {unknown} alt
 * @param {ReadFile} readFile
 * @returns {Block}
 */
function imageBlock(image, alt, readFile) {
  const bytes = readFile(String(image));
  if (!bytes) throw new Unmakeable(`There is no file ${JSON.stringify(image)}.`);
  if (imageType(bytes) === null && !isSvg(bytes))
    throw new Unmakeable(`${String(image)} is neither PNG nor JPEG nor SVG.`);
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

/** @param {Uint8Array} bytes */
function isSvg(bytes) {
  const head = Buffer.from(bytes.subarray(0, 1_000)).toString("utf8");
  return head.trimStart().startsWith("<") && head.includes("<svg");
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
      `A table of a document has at most ${CELLS_MAX} cells; this one has ${rows.length} rows. ` +
        "Put them into a workbook, and the most telling ones here.",
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

/** @typedef {{ lists: { count: number }, readFile: ReadFile }} Around */

/**
 * @param {string} text
 * @param {{ count: number }} lists
 * @param {ReadFile} readFile
 * @returns {Block[]}
 */
function readMarkdown(text, lists, readFile) {
  if (text.length > TEXT_MAX_CHARACTERS)
    throw new Unmakeable(`A text has at most ${TEXT_MAX_CHARACTERS} characters.`);
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return tree.children.flatMap((node) => blockOf(node, { lists, readFile }, 0));
}

/**
 * @param {Node} node
 * @param {Around} around
 * @param {number} depth
 * @returns {Block[]}
 */
function blockOf(node, around, depth) {
  if (depth > DEPTH_MAX) return [];
  switch (node.type) {
    case "heading":
      return [{ kind: "heading", level: node.depth, runs: runsOf(node.children) }];
    case "paragraph": {
      const [first, ...others] = node.children;
      // A picture that stands alone; of one elsewhere, or amid words, its words are left.
      if (first?.type === "image" && others.length === 0 && isPath(first.url))
        return [imageBlock(pathOf(first.url), first.alt, around.readFile)];
      return [{ kind: "paragraph", runs: runsOf(node.children) }];
    }
    case "code":
      return [{ kind: "code", text: node.value }];
    case "thematicBreak":
      return [{ kind: "rule" }];
    case "blockquote":
      return node.children
        .flatMap((child) => blockOf(child, around, depth + 1))
        .map((block) => (block.kind === "paragraph" ? { ...block, isQuote: true } : block));
    case "list":
      return itemsOf(node, around, depth);
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
 * @param {Around} around
 * @param {number} depth
 * @returns {Block[]}
 */
function itemsOf(node, around, depth) {
  around.lists.count += 1;
  const list = around.lists.count;
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
      ...(isText ? rest : item.children).flatMap((child) => blockOf(child, around, depth + 1)),
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

/** @param {string} url */
function isPath(url) {
  return url.startsWith("run:") || !(SCHEME.test(url) || url.startsWith("//"));
}

/** As a Markdown writer escapes it. @param {string} url */
function pathOf(url) {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
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
