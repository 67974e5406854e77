import "server-only";
import { atOnce } from "@/lib/model/at-once";
import { trimEnd } from "@/lib/model/text/trim";
import { PatternAutomaton } from "@/lib/platform/crypto/pattern-automaton";
import type { SlicedWork } from "@/lib/platform/in-slices";
export const REDACTED = "[redacted]";

/**
 * Longer forms are looked for in blocks of this length, so that a part of a long key is caught too.
 */
const BLOCK_CHARS = 64;
/** Where a text has these first characters of a block it is compared with the whole block. */
const HEAD_CHARS = 8;
/** A step of a scan: some milliseconds on the slowest texts. */
const STEP_CHARS = 16_384;

export type Redactor = {
  /** There is nothing to look for: every text stays as it is. */
  isEmpty: boolean;
  /** The text with every secret, in each of its forms, replaced by `[redacted]`. */
  redact: (text: string) => string;
  /** The same in small steps, for a text of any length. */
  redactInSteps: (text: string) => SlicedWork<string>;
  /** The same for a text that comes in pieces: begins one. */
  scan: () => RedactionScan;
};

export type RedactionScan = {
  /**
   * What may be shown now. Only an end that may be the beginning of a secret is held back, until
   * more or the end comes.
   */
  push: (chunk: string) => string;
  /** What was held back, once nothing more comes. */
  end: () => string;
};

/**
 * Removes secret values from what comes back from a tool: plain, base64 (also within a longer
 * text), base64url, hex, URL-encoded, JSON-escaped, HTML-escaped. Time grows with the text's length
 * alone, whatever the secrets are. An empty secret is ignored.
 * The forms of an account's secrets may be millions of characters: on the server, make it by
 * `redactorInSteps`.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  return atOnce(redactorInSteps(secrets));
}

/** The same in small steps. */
export function* redactorInSteps(secrets: readonly string[]): SlicedWork<Redactor> {
  const finder = yield* buildFinder(secrets);
  return {
    isEmpty: secrets.every((secret) => secret === ""),
    redact: (text) => atOnce(redactInSteps(finder, text)),
    redactInSteps: (text) => redactInSteps(finder, text),
    scan: () => createScan(finder),
  };
}

function* redactInSteps(finder: Finder, text: string): SlicedWork<string> {
  const scan = createScan(finder);
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += STEP_CHARS) {
    if (at > 0) yield;
    parts.push(scan.push(text.slice(at, at + STEP_CHARS)));
  }
  parts.push(scan.end());
  return parts.join("");
}

interface Finder {
  /** The forms of up to 64 characters. */
  short: PatternAutomaton;
  /** The blocks of the longer ones. */
  blocks: ReadonlySet<string>;
  heads: ReadonlySet<string>;
  /**
   * Which first characters, and which first three, a block has: bits by a hash, so that a look at
   * `heads` is rare.
   */
  firsts: Uint8Array;
  triples: Uint8Array;
}

function* buildFinder(secrets: readonly string[]): SlicedWork<Finder> {
  const short = new PatternAutomaton();
  const blocks = new Set<string>();
  for (const secret of secrets) {
    if (secret === "") continue;
    for (const form of secretForms(secret)) {
      if (form.length <= BLOCK_CHARS) short.add(form);
      else for (let at = 0; at < form.length; at += BLOCK_CHARS) blocks.add(blockAt(form, at));
      yield;
    }
  }
  yield* short.link();
  const finder = {
    short,
    blocks,
    heads: new Set<string>(),
    firsts: new Uint8Array(65_536),
    triples: new Uint8Array(65_536),
  };
  let count = 0;
  for (const block of blocks) {
    finder.heads.add(block.slice(0, HEAD_CHARS));
    finder.firsts[block.charCodeAt(0)] = 1;
    finder.triples[tripleAt(block, 0)] = 1;
    count += 1;
    if (count % 4_096 === 0) yield;
  }
  return finder;
}

/** Blocks cover the form without a gap; the last one overlaps, so that none is short. */
function blockAt(form: string, at: number): string {
  const start = Math.min(at, form.length - BLOCK_CHARS);
  return form.slice(start, start + BLOCK_CHARS);
}

function tripleAt(text: string, at: number): number {
  return (
    (text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 5) ^ (text.charCodeAt(at + 2) << 10)) &
    0xffff
  );
}

/**
 * A part of the text that some forms cover, end exclusive. -1 as its start: it begins before, where
 * its marker was written.
 */
interface Cover {
  start: number;
  end: number;
}

/**
 * Walks over a text that comes in pieces; a match may overlap another, and what any of them covers
 * is gone.
 */
function createScan(finder: Finder): RedactionScan {
  let pending = "";
  /** How much of `pending` the automaton has read, and its state then. */
  let read = 0;
  let state = 0;
  let covers: Cover[] = [];

  const readOn = () => {
    const { short, blocks } = finder;
    for (; read < pending.length; read += 1) {
      state = short.next(state, pending.charCodeAt(read));
      const matched = short.matchedAt(state);
      if (matched > 0) cover(covers, read + 1 - matched, read + 1);
      const start = read + 1 - BLOCK_CHARS;
      if (
        blocks.size > 0 &&
        start >= 0 &&
        mayBegin(finder, pending, start) &&
        blocks.has(pending.slice(start, read + 1))
      )
        cover(covers, start, read + 1);
    }
  };
  const drain = (upTo: number): string => {
    const out: string[] = [];
    let at = 0;
    for (const { start, end } of covers) {
      if (start >= upTo) break;
      if (start >= 0) out.push(pending.slice(at, start), REDACTED);
      at = Math.min(end, upTo);
    }
    out.push(pending.slice(at, upTo));
    covers = covers.flatMap(({ start, end }) =>
      end < upTo ? [] : [{ start: start < upTo ? -1 : start - upTo, end: end - upTo }],
    );
    pending = pending.slice(upTo);
    read -= upTo;
    return out.join("");
  };
  return {
    push: (chunk) => {
      pending += chunk;
      readOn();
      return drain(
        Math.min(pending.length - finder.short.openAt(state), openBlockOf(finder, pending)),
      );
    },
    end: () => drain(pending.length),
  };
}

/**
 * Adds a part that ends no earlier than all that are there; one that it touches becomes one with
 * it.
 */
function cover(covers: Cover[], from: number, end: number): void {
  let start = from;
  for (let last = covers.at(-1); last !== undefined && last.end >= start; last = covers.at(-1)) {
    start = Math.min(start, last.start);
    covers.pop();
  }
  covers.push({ start, end });
}

/**
 * Where the first beginning of a block stands that the text ends with; its length when there is
 * none.
 */
function openBlockOf(finder: Finder, text: string): number {
  if (finder.blocks.size === 0) return text.length;
  for (let at = Math.max(0, text.length - BLOCK_CHARS + 1); at < text.length; at += 1)
    if (mayBegin(finder, text, at)) return at;
  return text.length;
}

/** Whether a block may begin here, as far as the text goes. */
function mayBegin({ firsts, triples, heads }: Finder, text: string, at: number): boolean {
  if (firsts[text.charCodeAt(at)] === 0) return false;
  if (at + 3 > text.length) return true;
  if (triples[tripleAt(text, at)] === 0) return false;
  return at + HEAD_CHARS > text.length || heads.has(text.slice(at, at + HEAD_CHARS));
}

/**
 * Below this, an encoded form is so short that it stands in any text by chance; the value itself is
 * redacted at any length.
 */
const MIN_ENCODED_CHARS = 4;

/**
 * Every text under which a secret value may come back: as it is, and in the encodings that programs
 * put values into. Some may come twice. Made one by one, as those of a large secret take a while.
 */
function* secretForms(secret: string): Generator<string> {
  yield secret;
  for (const form of encodedForms(secret))
    if (form !== secret && form.length >= MIN_ENCODED_CHARS) yield form;
}

function* encodedForms(secret: string): Generator<string> {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  yield hex;
  yield hex.toUpperCase();
  yield* base64Forms(bytes);
  yield* percentForms(secret);
  yield* jsonForms(secret);
  yield htmlForm(secret);
}

/**
 * Base64 of a text that merely contains the secret (`user:secret` of Basic) shows it at one of
 * three alignments. Of each, those characters are taken that depend on nothing but the secret.
 */
function* base64Forms(bytes: Buffer): Generator<string> {
  const urlSafe = (text: string) => text.replaceAll("+", "-").replaceAll("/", "_");
  const whole = trimEnd(bytes.toString("base64"), "=");
  yield whole;
  yield urlSafe(whole);
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.byteLength) * 8) / 6);
    // Three bytes at the least: shorter shared pieces are no longer telling.
    if (end - start < MIN_ENCODED_CHARS) continue;
    yield text.slice(start, end);
    yield urlSafe(text.slice(start, end));
  }
}

/** Encoders differ in what they leave alone, in the case of the digits and in the blank. */
function* percentForms(secret: string): Generator<string> {
  const whole = (text: string) =>
    Buffer.from(text, "utf8").toString("hex").toUpperCase().replace(/../g, "%$&");
  const unsafe = {
    component: /[^A-Za-z0-9\-_.!~*'()]+/g,
    strict: /[^A-Za-z0-9\-_.~]+/g,
    form: /[^A-Za-z0-9\-_.*]+/g,
    uri: /[^A-Za-z0-9\-_.!~*'();/?:@&=+$,#]+/g,
    nothing: /[\s\S]+/g,
  };
  for (const [name, pattern] of Object.entries(unsafe)) {
    const text = secret.replace(pattern, whole);
    const spellings =
      name === "form" || name === "strict" ? [text, text.replaceAll("%20", "+")] : [text];
    for (const spelling of spellings) {
      yield spelling;
      yield spelling.replace(/(?:%[0-9A-F]{2})+/g, (codes) => codes.toLowerCase());
    }
  }
}

function* jsonForms(secret: string): Generator<string> {
  const inner = (text: string) => JSON.stringify(text).slice(1, -1);
  const once = inner(secret);
  const ascii = (isUpper: boolean) =>
    once.replace(/[^\x20-\x7e]+/g, (run) => unicodeEscapes(run, isUpper));
  const html = (text: string) =>
    text.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
  for (const form of [
    () => once,
    () => once.replaceAll("/", "\\/"),
    () => ascii(false),
    () => ascii(true),
    () => html(once),
  ]) {
    const text = form();
    yield text;
    // JSON within JSON, as a tool's answer that quotes a request's body has it.
    yield inner(text);
  }
  const plain = html(ascii(false));
  yield plain;
  yield inner(plain);
}

function unicodeEscapes(text: string, isUpper: boolean): string {
  const units = Buffer.from(text, "utf16le").swap16().toString("hex");
  return (isUpper ? units.toUpperCase() : units).replace(/..../g, "\\u$&");
}

const HTML_NAMES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function htmlForm(secret: string): string {
  return secret.replace(/[&<>"']/g, (char) => HTML_NAMES[char] ?? char);
}
