import "server-only";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { inSlices, type SlicedWork } from "@/lib/platform/in-slices";
import type { FilesPort } from "@/lib/runtime/tools/tool-ports";

const FILES_MAX = 100;
/** A tool's result that was stored whole is as long as this at times. */
const FILE_MAX_BYTES = 8 * 1024 * 1024;
const ALL_MAX_BYTES = 16 * 1024 * 1024;
const WORDS_MAX = 20;
const MATCHES_MAX = 50;
/** Matching lines of all files together; what stands behind them is not looked at. */
const FOUND_MAX_LINES = 100_000;
const LINE_MAX_CHARACTERS = 300;
/** Lines that make a step of the search. */
const STEP_LINES = 1_000;
const BINARY_TYPE = /^(?:image|audio|video|font)\/(?!svg)|zip|pdf|octet-stream|parquet|arrow/;

/**
 * What fits a query, best first: the hits of the full-text search, then the lines of text files
 * that hold most of the query's words, wherever in a word they stand. Says which files it left out.
 * Works in slices: others have their turn while megabytes are searched.
 */
export async function searchFiles(
  files: FilesPort,
  query: string,
  prefix: string | undefined,
  signal: AbortSignal,
): Promise<JsonObject> {
  const ranked = await files.search(query, prefix ?? "", signal);
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])].slice(
    0,
    WORDS_MAX,
  );
  const best = new BestMatches();
  const skipped: string[] = [];
  let leftBytes = ALL_MAX_BYTES;
  for (const [index, file] of (await files.list(prefix)).entries()) {
    signal.throwIfAborted();
    const isText = index < FILES_MAX && !BINARY_TYPE.test(file.content_type);
    if (
      !isText ||
      file.size_bytes > Math.min(FILE_MAX_BYTES, leftBytes) ||
      best.found >= FOUND_MAX_LINES
    ) {
      skipped.push(file.path);
      continue;
    }
    const bytes = await files.readBytes(file.path, FILE_MAX_BYTES);
    leftBytes -= file.size_bytes;
    await inSlices(searchText(file.path, bytes, words, best), { signal });
  }
  const isHit = new Set(ranked.hits.map(({ path, line }) => `${line} ${path}`));
  const hits = ranked.hits.map(({ path, reference, line, text, rank }) => ({
    path,
    ...(reference !== undefined && { reference }),
    ...(line !== undefined && { line }),
    text,
    rank,
  }));
  const lines = best.list().filter(({ path, line }) => !isHit.has(`${line} ${path}`));
  const left = skipped.filter((path) => !ranked.searched.has(path));
  return {
    matches: [...hits, ...lines].slice(0, MATCHES_MAX),
    found: Math.max(best.found, hits.length + lines.length),
    ...(left.length > 0 && { not_searched: left.slice(0, 50) }),
  };
}

type Match = { path: string; line: number; text: string };

/** The first lines of each number of words, so that nothing has to be sorted. */
export class BestMatches {
  found = 0;
  #byWords: Match[][] = Array.from({ length: WORDS_MAX + 1 }, () => []);

  add(words: number, match: () => Match): void {
    this.found += 1;
    const alike = this.#byWords[words];
    if (alike !== undefined && alike.length < MATCHES_MAX) alike.push(match());
  }

  list(): Match[] {
    return this.#byWords.toReversed().flat().slice(0, MATCHES_MAX);
  }
}

/** Looks for the words in the text as a whole, and for lines only around what it finds. */
export function* searchText(
  path: string,
  bytes: Uint8Array,
  words: string[],
  best: BestMatches,
): SlicedWork<void> {
  const text = new TextDecoder().decode(bytes);
  yield;
  const lower = text.toLowerCase();
  yield;
  // Lower case may be longer than the text (İ), but it has the same lines.
  const shown = new LineReader(text);
  const searched = new LineReader(lower);
  const next = words.map(() => -1);
  const lookOn = (word: number, from: number) => {
    const at = lower.indexOf(words[word] ?? "", from);
    next[word] = at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  for (const word of words.keys()) {
    lookOn(word, 0);
    yield;
  }
  while (best.found < FOUND_MAX_LINES) {
    const first = Math.min(...next);
    if (first >= lower.length) return;
    yield* searched.goTo(first);
    const hits = [...next.keys()].filter((word) => (next[word] ?? 0) < searched.end);
    yield* shown.goToLine(searched.line);
    best.add(hits.length, () => ({
      path,
      line: searched.line,
      text: text.slice(shown.start, shown.end).trim().slice(0, LINE_MAX_CHARACTERS),
    }));
    for (const word of hits) lookOn(word, searched.end);
    if (best.found % STEP_LINES === 0) yield;
  }
}

/** Goes through a text's lines, forwards. */
class LineReader {
  readonly #text: string;
  /** From 1. */
  line = 1;
  start = 0;
  /** Without the line end. */
  end: number;

  constructor(text: string) {
    this.#text = text;
    this.end = this.#endAfter(0);
  }

  /** To the line that holds the character at `position`. */
  *goTo(position: number): SlicedWork<void> {
    while (this.end < position) {
      this.#step();
      if (this.line % STEP_LINES === 0) yield;
    }
  }

  *goToLine(line: number): SlicedWork<void> {
    while (this.line < line) {
      this.#step();
      if (this.line % STEP_LINES === 0) yield;
    }
  }

  #step(): void {
    this.line += 1;
    this.start = this.end + 1;
    this.end = this.#endAfter(this.start);
  }

  #endAfter(start: number): number {
    const end = this.#text.indexOf("\n", start);
    return end < 0 ? this.#text.length : end;
  }
}
