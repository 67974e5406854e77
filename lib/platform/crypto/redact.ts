import "server-only";
import { secretForms } from "./secret-forms";

export const REDACTED = "[redacted]";

/** Longer forms are looked for in pieces of this length, so that the work a position is bounded and a part of a long key is caught too. */
const PIECE_CHARS = 256;
const BUCKET_CHARS = 8;

export type Redactor = {
  /** The text with every secret, in each of its forms, replaced by `[redacted]`. */
  redact: (text: string) => string;
  /** The same for a text that comes in pieces. Holds back as many characters as the longest form has, less one, until more or the end comes. */
  stream: () => TransformStream<string, string>;
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
  const stream = () => {
    const scan = createScan(finder);
    const emit = (controller: TransformStreamDefaultController<string>, text: string) => text !== "" && controller.enqueue(text);
    return new TransformStream<string, string>({
      transform: (chunk, controller) => void emit(controller, scan.push(chunk)),
      flush: (controller) => void emit(controller, scan.end()),
    });
  };
  return { redact, stream };
}

type Finder = {
  /** By the first characters, at most 8, of each piece; the lengths of those beginnings. */
  buckets: ReadonlyMap<string, readonly string[]>;
  heads: readonly number[];
  firsts: ReadonlySet<number>;
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
  return { buckets, heads: [...sizes], firsts, longest: Math.max(1, ...Array.from(pieces, (piece) => piece.length)) };
}

/** Pieces that cover the form without a gap; the last one overlaps, so that none is short. */
function cut(form: string): string[] {
  if (form.length <= PIECE_CHARS) return [form];
  const pieces: string[] = [];
  for (let at = 0; at + PIECE_CHARS <= form.length; at += PIECE_CHARS) pieces.push(form.slice(at, at + PIECE_CHARS));
  return [...pieces, form.slice(-PIECE_CHARS)];
}

/** Walks over a text that comes in pieces; a match may overlap another, and what any of them covers is gone. */
function createScan(finder: Finder): { push: (chunk: string) => string; end: () => string } {
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
      return drain(Math.max(0, pending.length - finder.longest + 1));
    },
    end: () => drain(pending.length),
  };
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
