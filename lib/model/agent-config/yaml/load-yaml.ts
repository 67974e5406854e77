import type { Document } from "yaml";
import { atOnce } from "@/lib/model/at-once";
import { hasAtMostCharacters } from "@/lib/model/has-at-most-characters";
import { checkJsonValue } from "@/lib/model/json-schema/check-json-value";
import type { JsonIssue } from "@/lib/model/json-schema/json-issue";
import { toDottedPath } from "@/lib/model/json-schema/json-path";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { composeYaml } from "./compose-yaml";
import { locateInYaml } from "./locate-in-yaml";
import { scanYaml } from "./scan-yaml";
import { type TextError, toPosition } from "./text-error";
import { toPlainValue } from "./to-plain-value";

/** A YAML text that was read: its value, its tree with comments, and the way back from a path of the value to the text. */
export type LoadedYaml = { ok: true; value: JsonValue; document: Document.Parsed; errorAt: (issue: JsonIssue) => TextError };

/** `scalars: "text"` reads every scalar as the text that stands there (`1.0` stays `1.0`); else they are YAML 1.2 core values. */
export type LoadYamlOptions = { maxCharacters: number; maxValues?: number; scalars?: "core" | "text" };

const MESSAGE_MAX_CHARACTERS = 300;
const VALUE_MAX_DEPTH = 64;
const VALUES_MAX = 8_000;
/** The library reads a scalar in one go, however long it is; an agent's skill at its limit, every character escaped, needs less. */
const LINES_MAX = 100_000;
const LINE_MAX_CHARACTERS = 1_600_000;
// C0 controls other than tab and line ends, NUL first, and halves of surrogate pairs. (U+007F to U+009F are let through: the text
// that is written for a value may hold them.)
const REFUSED_CHARACTER = /(?![\t\n\r\u007F-\u009F])\p{Cc}|[\uD800-\uDFFF]/u;

/**
 * Reads one YAML 1.2 document of plain data from a text that may be hostile. Its cost is bounded, whatever the text: length,
 * tokens and depth are checked before the recursive part of the parser works, anchors, aliases, tags, directives and further
 * documents are refused, duplicate keys too. Never throws.
 */
export function loadYaml(text: string, options: LoadYamlOptions): LoadedYaml | { ok: false; errors: TextError[] } {
  return atOnce(loadYamlInSteps(text, options));
}

/** The same in small steps, for a server that has other things to do. */
export function* loadYamlInSteps(
  text: string,
  options: LoadYamlOptions,
): Generator<void, LoadedYaml | { ok: false; errors: TextError[] }, void> {
  if (!hasAtMostCharacters(text, options.maxCharacters))
    return refuse(text, options.maxCharacters, `Longer than ${options.maxCharacters} characters.`);
  const bad = REFUSED_CHARACTER.exec(text);
  if (bad !== null) return refuse(text, bad.index, "NUL and control characters, and halves of surrogate pairs, are not allowed.");
  const outsized = findOutsized(text);
  if (outsized !== null) return refuse(text, outsized.offset, outsized.message);
  yield;
  const scanned = yield* scanYaml(text);
  if (!scanned.ok) return refuse(text, scanned.fault.offset, scanned.fault.message);
  yield;
  const { document, faults } = composeYaml(scanned.tokens, text.length, options.scalars ?? "core");
  if (faults.length > 0) return { ok: false, errors: faults.map(({ offset, message }) => toTextError(text, offset, message)) };
  if (document === null) return refuse(text, 0, "No document.");
  yield;
  const plain = toPlainValue(document.contents);
  if (!plain.ok) return refuse(text, plain.fault.offset, plain.fault.message);
  const errorAt = ({ path, message, atKey }: JsonIssue): TextError => ({
    path: toDottedPath(path),
    message: cut(message),
    ...toPosition(text, locateInYaml(document, path, atKey)),
  });
  const issue = checkJsonValue(plain.value, { maxDepth: VALUE_MAX_DEPTH, maxValues: options.maxValues ?? VALUES_MAX });
  if (issue !== null) return { ok: false, errors: [errorAt(issue)] };
  return { ok: true, value: plain.value, document, errorAt };
}

function findOutsized(text: string): { offset: number; message: string } | null {
  let start = 0;
  for (let line = 1; ; line += 1) {
    if (line > LINES_MAX) return { offset: start, message: `More than ${LINES_MAX} lines.` };
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    if (end - start > LINE_MAX_CHARACTERS) return { offset: start, message: `A line has at most ${LINE_MAX_CHARACTERS} characters.` };
    if (next < 0) return null;
    start = next + 1;
  }
}

function refuse(text: string, offset: number, message: string): { ok: false; errors: TextError[] } {
  return { ok: false, errors: [toTextError(text, offset, message)] };
}

function toTextError(text: string, offset: number, message: string): TextError {
  return { path: "", message: cut(message), ...toPosition(text, offset) };
}

function cut(message: string): string {
  return message.length <= MESSAGE_MAX_CHARACTERS ? message : `${message.slice(0, MESSAGE_MAX_CHARACTERS)}…`;
}
