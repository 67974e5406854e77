import {
  Composer,
  type CST,
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  type YAMLMap,
} from "yaml";
import {
  scanYaml,
  type TextError,
  toPosition,
  type YamlFault,
} from "@/lib/model/agent-config/yaml/scan-yaml";
import { atOnce } from "@/lib/model/at-once";
import {
  checkJsonValue,
  type JsonIssue,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  toDottedPath,
} from "@/lib/model/json-schema/json-value";
import { hasAtMostCharacters } from "@/lib/model/text-of";
/**
 * A YAML text that was read: its value, its tree with comments, and the way back from a path of the
 * value to the text.
 */
export type LoadedYaml = {
  ok: true;
  value: JsonValue;
  document: Document.Parsed;
  errorAt: (issue: JsonIssue) => TextError;
};

/**
 * `scalars: "text"` reads every scalar as the text that stands there (`1.0` stays `1.0`); else they
 * are YAML 1.2 core values.
 */
export type LoadYamlOptions = {
  maxCharacters: number;
  maxValues?: number;
  scalars?: "core" | "text";
};

const MESSAGE_MAX_CHARACTERS = 300;
const VALUE_MAX_DEPTH = 64;
const VALUES_MAX = 8_000;
/**
 * The library reads a scalar in one go, however long it is; an agent's skill at its limit, every
 * character escaped, needs less.
 */
const LINES_MAX = 100_000;
const LINE_MAX_CHARACTERS = 1_600_000;
// C0 controls other than tab and line ends, NUL first, and halves of surrogate pairs. (U+007F to
// U+009F are let through: the text that is written for a value may hold them.)
const REFUSED_CHARACTER = /(?![\t\n\r\u007F-\u009F])\p{Cc}|[\uD800-\uDFFF]/u;

/**
 * Reads one YAML 1.2 document of plain data from a text that may be hostile. Its cost is bounded,
 * whatever the text: length, tokens and depth are checked before the recursive part of the parser
 * works, anchors, aliases, tags, directives and further documents are refused, duplicate keys too.
 * Never throws. `yaml` alone dies of 5,000 brackets, js-yaml has bounds but loses the comments.
 */
export function loadYaml(
  text: string,
  options: LoadYamlOptions,
): LoadedYaml | { ok: false; errors: TextError[] } {
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
  if (bad !== null)
    return refuse(
      text,
      bad.index,
      "NUL and control characters, and halves of surrogate pairs, are not allowed.",
    );
  const outsized = findOutsized(text);
  if (outsized !== null) return refuse(text, outsized.offset, outsized.message);
  yield;
  const scanned = yield* scanYaml(text);
  if (!scanned.ok) return refuse(text, scanned.fault.offset, scanned.fault.message);
  yield;
  const { document, faults } = composeYaml(scanned.tokens, text.length, options.scalars ?? "core");
  if (faults.length > 0)
    return {
      ok: false,
      errors: faults.map(({ offset, message }) => toTextError(text, offset, message)),
    };
  if (document === null) return refuse(text, 0, "No document.");
  yield;
  const plain = toPlainValue(document.contents);
  if (!plain.ok) return refuse(text, plain.fault.offset, plain.fault.message);
  const errorAt = ({ path, message, atKey }: JsonIssue): TextError => ({
    path: toDottedPath(path),
    message: cut(message),
    ...toPosition(text, locateInYaml(document, path, atKey)),
  });
  const issue = checkJsonValue(plain.value, {
    maxDepth: VALUE_MAX_DEPTH,
    maxValues: options.maxValues ?? VALUES_MAX,
  });
  if (issue !== null) return { ok: false, errors: [errorAt(issue)] };
  return { ok: true, value: plain.value, document, errorAt };
}

function findOutsized(text: string): { offset: number; message: string } | null {
  let start = 0;
  for (let line = 1; ; line += 1) {
    if (line > LINES_MAX) return { offset: start, message: `More than ${LINES_MAX} lines.` };
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    if (end - start > LINE_MAX_CHARACTERS)
      return { offset: start, message: `A line has at most ${LINE_MAX_CHARACTERS} characters.` };
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
  return message.length <= MESSAGE_MAX_CHARACTERS
    ? message
    : `${message.slice(0, MESSAGE_MAX_CHARACTERS)}…`;
}

/**
 * The offset in the text of the value at `path`, of its key when the value is not written out, or
 * of the nearest thing around it that exists. With `atKey` the key is wanted in any case.
 */
function locateInYaml(document: Document, path: JsonPath, atKey = false): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [index, segment] of path.entries()) {
    const pair = isMap(node)
      ? node.items.find((item) => isScalar(item.key) && item.key.value === String(segment))
      : undefined;
    if (pair === undefined && !isSeq(node)) return offset;
    node = pair === undefined ? itemAt(node, segment) : pair.value;
    if (node === undefined) return offset;
    const isKey = atKey && index === path.length - 1;
    offset =
      (pair === undefined ? startOf(node) : isKey ? startOf(pair.key) : pairStart(pair)) ?? offset;
  }
  return offset;
}

/**
 * A block map or list starts on the line below its key, where nobody would look: there the key is
 * meant.
 */
function pairStart(pair: Pair): number | null {
  const isPlace = isScalar(pair.value) && pair.value.range?.[0] !== pair.value.range?.[1];
  return isPlace ? startOf(pair.value) : startOf(pair.key);
}

function itemAt(node: unknown, segment: string | number): unknown {
  return isSeq(node) && typeof segment === "number" ? node.items[segment] : undefined;
}

function startOf(node: unknown): number | null {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : null;
  return Array.isArray(range) && typeof range[0] === "number" ? range[0] : null;
}

/** Thrown at the first thing in a tree that JSON cannot say. */
class PlainValueError extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/**
 * The JSON value of a composed tree, or the first fault: a key that is no plain text, the same key
 * twice, `__proto__`, a number that JSON cannot write. It is linear in the tree, unlike the
 * library's own look for duplicate keys, and it recurses no deeper than `scanYaml` let the text
 * nest.
 */
function toPlainValue(
  node: ParsedNode | null,
): { ok: true; value: JsonValue } | { ok: false; fault: YamlFault } {
  try {
    return { ok: true, value: plain(node) };
  } catch (error) {
    if (error instanceof PlainValueError)
      return { ok: false, fault: { offset: error.offset, message: error.message } };
    throw error;
  }
}

function plain(node: unknown): JsonValue {
  if (isMap(node)) return plainMap(node);
  if (isSeq(node)) return node.items.map(plain);
  if (node === null || node === undefined) return null;
  if (!isScalar(node)) throw new PlainValueError(offsetOf(node), "This is not allowed here.");
  const { value } = node;
  if (typeof value === "number") {
    if (!Number.isFinite(value))
      throw new PlainValueError(offsetOf(node), "Must be a finite number.");
    // JSON storage does not keep the sign of zero.
    return value === 0 ? 0 : value;
  }
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  throw new PlainValueError(offsetOf(node), "Must be a plain value.");
}

function plainMap(map: YAMLMap): JsonObject {
  const object: JsonObject = {};
  for (const { key, value } of map.items) {
    if (!isScalar(key) || typeof key.value !== "string")
      throw new PlainValueError(offsetOf(key ?? map), "A key must be plain text.");
    if (key.value === "__proto__")
      throw new PlainValueError(offsetOf(key), "The key __proto__ is not allowed.");
    if (Object.hasOwn(object, key.value))
      throw new PlainValueError(
        offsetOf(key),
        `The key ${key.value.slice(0, 100)} stands here twice.`,
      );
    object[key.value] = plain(value);
  }
  return object;
}

function offsetOf(node: unknown): number {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : null;
  return Array.isArray(range) && typeof range[0] === "number" ? range[0] : 0;
}

const FAULTS_MAX = 20;

/** Thrown through the library when nobody reads further faults. */
class EnoughFaults extends Error {}

/**
 * Composes what `scanYaml` let through into a document, with at most 20 faults of syntax; there is
 * no document when composing was given up. Warnings are dropped: tags, which most of them are
 * about, never get here.
 */
function composeYaml(
  tokens: CST.Token[],
  length: number,
  scalars: "core" | "text",
): { document: Document.Parsed | null; faults: YamlFault[] } {
  const faults: YamlFault[] = [];
  const composer = new Composer<ParsedNode>({
    version: "1.2",
    schema: scalars === "core" ? "core" : "failsafe",
    merge: false,
    resolveKnownTags: false,
    strict: true,
    stringKeys: true,
    // Looked for in toPlainValue: the library compares each key with each.
    uniqueKeys: false,
  });
  // The library makes an Error with its stack for each fault, 65,000 of them in 128 KB: a second of
  // work. Its own collector is therefore replaced; should a later version not heed this, the faults
  // still arrive in document.errors.
  Object.assign(composer, { onError: collector(faults) });
  try {
    const first = composer.compose(atMostSomeErrors(tokens), true, length).next();
    // Only parsed documents come from tokens; the library's type also covers streams that hold
    // none.
    const document = first.done ? null : (first.value as Document.Parsed);
    for (const error of document?.errors ?? [])
      faults.push({ offset: error.pos[0], message: withoutSource(error.message) });
    return { document, faults: faults.slice(0, FAULTS_MAX) };
  } catch (error) {
    if (error instanceof EnoughFaults) return { document: null, faults };
    throw error;
  }
}

function collector(faults: YamlFault[]) {
  return (source: unknown, _code: string, message: string, isWarning?: boolean): void => {
    if (isWarning) return;
    faults.push({ offset: offsetOfOfComposeYaml(source), message: withoutSource(message) });
    if (faults.length >= FAULTS_MAX) throw new EnoughFaults();
  };
}

/**
 * The library's sentence without the piece of the text that some end with: there may be a secret in
 * it, and the place is told anyway.
 */
function withoutSource(message: string): string {
  return message
    .replace(/(?<=\S): .*$/su, "")
    .replace(/^(Invalid escape sequence|Unresolved \S+) .*$/su, "$1");
}

function atMostSomeErrors(tokens: CST.Token[]): CST.Token[] {
  let errors = 0;
  return tokens.filter((token) => {
    if (token.type === "error") errors += 1;
    return token.type !== "error" || errors <= FAULTS_MAX;
  });
}

/** The library names places as an offset, as a range, or by a token. */
function offsetOfOfComposeYaml(source: unknown): number {
  if (typeof source === "number") return source;
  if (Array.isArray(source)) return offsetOfOfComposeYaml(source[0]);
  return typeof source === "object" && source !== null && "offset" in source
    ? offsetOfOfComposeYaml(source.offset)
    : 0;
}
