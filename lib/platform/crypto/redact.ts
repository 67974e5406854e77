import "server-only";
import { secretForms } from "./secret-forms";

export const REDACTED = "[redacted]";

/** Longer forms are looked for in pieces of this length, so that the work a position is bounded and a part of a long key is caught too. */
const PIECE_CHARS = 256;
const BUCKET_CHARS = 8;

export type Redactor = {
  /** The text with every secret, in each of its forms, replaced by `[redacted]`. */
  redact: (text: string) => string;
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
 * JSON-escaped, HTML-escaped. Time grows with the text's length, not with that of the secrets. An empty secret is ignored.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const finder = buildFinder(secrets);
  const redact = (text: string) => {
    const scan = createScan(finder);
    return scan.push(text) + scan.end();
  };
  return { redact, scan: () => createScan(finder) };
}

type Finder = {
  /** By the first characters, at most 8, of each piece; the lengths of those beginnings. */
  buckets: ReadonlyMap<string, readonly string[]>;
  heads: readonly number[];
  firsts: ReadonlySet<number>;
  /** The beginnings, shorter than 8 characters and than their piece, that a text may end with while more is to come. */
  beginnings: ReadonlySet<string>;
  longest: number;
};

function buildFinder(secrets: readonly string[]): Finder {
  const pieces = new Set<string>();
  for (const secret of secrets) {
    if (secret === "") continue;
    for (const form of secretForms(secret)) for (const piece of cut(form)) pieces.add(piece);
  }
  const buckets = new Map<string, string[]>();
  for (const piece of pieces) {
    const head = piece.slice(0, BUCKET_CHARS);
    const bucket = buckets.get(head);
    if (bucket === undefined) buckets.set(head, [piece]);
    else bucket.push(piece);
  }
  const sizes = new Set(Array.from(buckets.keys(), (head) => head.length));
  const firsts = new Set(Array.from(buckets.keys(), (head) => head.charCodeAt(0)));
  const beginnings = new Set<string>();
  for (const piece of pieces) for (let end = 1; end < Math.min(BUCKET_CHARS, piece.length); end += 1) beginnings.add(piece.slice(0, end));
  return { buckets, heads: [...sizes], firsts, beginnings, longest: Math.max(1, ...Array.from(pieces, (piece) => piece.length)) };
}

/** Pieces that cover the form without a gap; the last one overlaps, so that none is short. */
function cut(form: string): string[] {
  if (form.length <= PIECE_CHARS) return [form];
  const pieces: string[] = [];
  for (let at = 0; at + PIECE_CHARS <= form.length; at += PIECE_CHARS) pieces.push(form.slice(at, at + PIECE_CHARS));
  return [...pieces, form.slice(-PIECE_CHARS)];
}

/** Walks over a text that comes in pieces; a match may overlap another, and what any of them covers is gone. */
function createScan(finder: Finder): RedactionScan {
  let pending = "";
  // Where the last redaction ends, counted from the start of `pending`; -1 when that lies behind. Its marker is already written.
  let end = -1;
  const drain = (upTo: number): string => {
    const out: string[] = [];
    for (let at = 0; at < upTo; at += 1) {
      const length = finder.firsts.has(pending.charCodeAt(at)) ? longestAt(finder, pending, at) : 0;
      if (length === 0) continue;
      if (at > end) out.push(pending.slice(Math.max(0, end), at), REDACTED);
      end = Math.max(end, at + length);
    }
    out.push(pending.slice(Math.max(0, end), Math.max(0, upTo)));
    pending = pending.slice(upTo);
    end = Math.max(-1, end - upTo);
    return out.join("");
  };
  return {
    push: (chunk) => {
      pending += chunk;
      return drain(heldFrom(finder, pending));
    },
    end: () => drain(pending.length),
  };
}

/** Where the first beginning of a piece stands that the text ends with; its length when there is none. */
function heldFrom(finder: Finder, text: string): number {
  for (let at = Math.max(0, text.length - finder.longest + 1); at < text.length; at += 1) {
    if (finder.firsts.has(text.charCodeAt(at)) && mayBegin(finder, text.slice(at))) return at;
  }
  return text.length;
}

function mayBegin(finder: Finder, tail: string): boolean {
  if (tail.length < BUCKET_CHARS) return finder.beginnings.has(tail);
  const bucket = finder.buckets.get(tail.slice(0, BUCKET_CHARS)) ?? [];
  return bucket.some((piece) => piece.length > tail.length && piece.startsWith(tail));
}

function longestAt(finder: Finder, text: string, at: number): number {
  let longest = 0;
  for (const size of finder.heads) {
    for (const piece of finder.buckets.get(text.slice(at, at + size)) ?? []) {
      if (piece.length > longest && text.startsWith(piece, at)) longest = piece.length;
    }
  }
  return longest;
}
