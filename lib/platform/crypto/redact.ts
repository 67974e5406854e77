import "server-only";
import { atOnce } from "@/lib/model/at-once";
import type { SlicedWork } from "@/lib/platform/in-slices";
import { PatternAutomaton } from "./pattern-automaton";
import { secretForms } from "./secret-forms";

export const REDACTED = "[redacted]";

/** Longer forms are looked for in blocks of this length, so that a part of a long key is caught too. */
const BLOCK_CHARS = 64;
/** Where a text has these first characters of a block it is compared with the whole block. */
const HEAD_CHARS = 8;
/** A step of a scan: some milliseconds on the slowest texts. */
const STEP_CHARS = 16_384;

export type Redactor = {
  /** The text with every secret, in each of its forms, replaced by `[redacted]`. */
  redact: (text: string) => string;
  /** The same in small steps, for a text of any length. */
  redactInSteps: (text: string) => SlicedWork<string>;
  /** The same for a text that comes in pieces: begins one. */
  scan: () => RedactionScan;
};

export type RedactionScan = {
  /** What may be shown now. Only an end that may be the beginning of a secret is held back, until more or the end comes. */
  push: (chunk: string) => string;
  /** What was held back, once nothing more comes. */
  end: () => string;
};

/**
 * Removes secret values from what comes back from a tool: plain, base64 (also within a longer text), base64url, hex, URL-encoded,
 * JSON-escaped, HTML-escaped. Time grows with the text's length alone, whatever the secrets are. An empty secret is ignored.
 * The forms of an account's secrets may be millions of characters: on the server, make it by `redactorInSteps`.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  return atOnce(redactorInSteps(secrets));
}

/** The same in small steps. */
export function* redactorInSteps(secrets: readonly string[]): SlicedWork<Redactor> {
  const finder = yield* buildFinder(secrets);
  return {
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
  /** Which first characters, and which first three, a block has: bits by a hash, so that a look at `heads` is rare. */
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
  const finder = { short, blocks, heads: new Set<string>(), firsts: new Uint8Array(65_536), triples: new Uint8Array(65_536) };
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
  return (text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 5) ^ (text.charCodeAt(at + 2) << 10)) & 0xffff;
}

/** A part of the text that some forms cover, end exclusive. -1 as its start: it begins before, where its marker was written. */
interface Cover {
  start: number;
  end: number;
}

/** Walks over a text that comes in pieces; a match may overlap another, and what any of them covers is gone. */
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
      if (blocks.size > 0 && start >= 0 && mayBegin(finder, pending, start) && blocks.has(pending.slice(start, read + 1)))
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
    covers = covers.flatMap(({ start, end }) => (end < upTo ? [] : [{ start: start < upTo ? -1 : start - upTo, end: end - upTo }]));
    pending = pending.slice(upTo);
    read -= upTo;
    return out.join("");
  };
  return {
    push: (chunk) => {
      pending += chunk;
      readOn();
      return drain(Math.min(pending.length - finder.short.openAt(state), openBlockOf(finder, pending)));
    },
    end: () => drain(pending.length),
  };
}

/** Adds a part that ends no earlier than all that are there; one that it touches becomes one with it. */
function cover(covers: Cover[], from: number, end: number): void {
  let start = from;
  for (let last = covers.at(-1); last !== undefined && last.end >= start; last = covers.at(-1)) {
    start = Math.min(start, last.start);
    covers.pop();
  }
  covers.push({ start, end });
}

/** Where the first beginning of a block stands that the text ends with; its length when there is none. */
function openBlockOf(finder: Finder, text: string): number {
  if (finder.blocks.size === 0) return text.length;
  for (let at = Math.max(0, text.length - BLOCK_CHARS + 1); at < text.length; at += 1) if (mayBegin(finder, text, at)) return at;
  return text.length;
}

/** Whether a block may begin here, as far as the text goes. */
function mayBegin({ firsts, triples, heads }: Finder, text: string, at: number): boolean {
  if (firsts[text.charCodeAt(at)] === 0) return false;
  if (at + 3 > text.length) return true;
  if (triples[tripleAt(text, at)] === 0) return false;
  return at + HEAD_CHARS > text.length || heads.has(text.slice(at, at + HEAD_CHARS));
}
