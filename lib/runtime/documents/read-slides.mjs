import { posix } from "node:path";
import { strFromU8 } from "fflate";
import { Parser } from "htmlparser2";
import { Unreadable, unzip } from "./unzip.mjs";

/**
 * @typedef {import("./child.mjs").DocumentRequest} DocumentRequest
 * @typedef {import("./child.mjs").DocumentContent} DocumentContent
 */

/**
 * The text of slides in the order in which they are shown, each with its notes.
 * @param {Uint8Array} bytes
 * @param {DocumentRequest} request
 * @returns {DocumentContent}
 */
export function readSlides(bytes, { from, to, maxCharacters }) {
  const parts = unzip(
    bytes,
    (name) =>
      /^ppt\/(?:presentation\.xml|slides\/|notesSlides\/|_rels\/)/.test(name) &&
      /\.(?:xml|rels)$/.test(name),
  );
  const slides = orderOf(parts);
  if (slides.length === 0) throw new Unreadable("It holds no slides.");
  const sections = [];
  const last = Math.min(to ?? slides.length, slides.length);
  let characters = 0;
  let number = from;
  for (; number <= last && characters < maxCharacters; number += 1) {
    const path = slides[number - 1] ?? "";
    const notes = [...relationsOf(parts, path).values()].find((target) =>
      target.startsWith("ppt/notesSlides/"),
    );
    const told = notes === undefined ? "" : textOf(parts, notes, true);
    const text = textOf(parts, path, false) + (told === "" ? "" : `\nNotes: ${told}`);
    characters += text.length;
    sections.push({ reference: `slide ${number}`, text });
  }
  return { sections, parts: slides.length, next: number <= last ? number : null };
}

/** @param {Record<string, Uint8Array>} parts */
function orderOf(parts) {
  const relations = relationsOf(parts, "ppt/presentation.xml");
  /** @type {string[]} */
  const paths = [];
  parse(parts["ppt/presentation.xml"], {
    onopentag: (name, attributes) => {
      const target = name === "p:sldId" ? relations.get(attributes["r:id"] ?? "") : undefined;
      if (target !== undefined && parts[target]) paths.push(target);
    },
  });
  return paths;
}

/**
 * What a part refers to, by id.
 * @param {Record<string, Uint8Array>} parts
 * @param {string} path
 */
function relationsOf(parts, path) {
  /** @type {Map<string, string>} */
  const targets = new Map();
  const folder = posix.dirname(path);
  parse(parts[`${folder}/_rels/${posix.basename(path)}.rels`], {
    onopentag: (name, { Id, Target }) => {
      if (name !== "Relationship" || Id === undefined || Target === undefined) return;
      targets.set(Id, Target.startsWith("/") ? Target.slice(1) : posix.join(folder, Target));
    },
  });
  return targets;
}

/**
 * Paragraphs as lines, the cells of a table's row in one line.
 * @param {Record<string, Uint8Array>} parts
 * @param {string} path
 * @param {boolean} isNotes what of a page of notes is no note, as its number, is left out
 */
function textOf(parts, path, isNotes) {
  let text = "";
  let isText = false;
  let isCell = false;
  let isSkipped = false;
  parse(parts[path], {
    onopentag: (name, attributes) => {
      if (name === "a:t") isText = true;
      else if (name === "a:br") text += "\n";
      else if (name === "a:tc") isCell = true;
      else if (name === "p:sp") isSkipped = false;
      else if (name === "p:ph") isSkipped = isNotes && attributes.type !== "body";
    },
    ontext: (piece) => {
      if (isText && !isSkipped) text += piece;
    },
    onclosetag: (name) => {
      if (name === "a:t") isText = false;
      else if (name === "a:p") text += isCell ? " " : "\n";
      else if (name === "a:tc") {
        isCell = false;
        text += "| ";
      } else if (name === "a:tr") text += "\n";
    },
  });
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line, index, lines) => line !== "" || index === lines.length - 1)
    .join("\n")
    .replace(/ \| \n/g, "\n")
    .trim();
}

/**
 * @param {Uint8Array | undefined} xml
 * @param {Partial<import("htmlparser2").Handler>} handler
 */
function parse(xml, handler) {
  if (!xml) return;
  const parser = new Parser(handler, { xmlMode: true });
  parser.write(strFromU8(xml));
  parser.end();
}
