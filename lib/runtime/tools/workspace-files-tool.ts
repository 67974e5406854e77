import "server-only";
import { z } from "zod";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { inSlices, type SlicedWork } from "@/lib/platform/in-slices";
import { readFile } from "@/lib/runtime/tools/read-file";
import {
  type RuntimeTool,
  type ToolContext,
  ToolFailure,
  type ToolOutcome,
} from "@/lib/runtime/tools/tool";
import type { WorkspacePort } from "@/lib/runtime/tools/tool-ports";

const LISTED_MAX = 200;
const PAGE_DEFAULT_BYTES = 16_384;
const PAGE_MAX_BYTES = 32_768;
const WRITE_MAX_CHARACTERS = 1_000_000;

const path = z.string();
const argsSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("list"), prefix: z.string().optional() }),
  z.object({
    action: z.literal("read"),
    path,
    offset: z.number().default(0),
    max_bytes: z.number().default(PAGE_DEFAULT_BYTES),
    pages: z.string().optional(),
    sheet: z.string().optional(),
    range: z.string().optional(),
    source: z.boolean().default(false),
  }),
  z.object({ action: z.literal("search"), query: z.string(), prefix: z.string().optional() }),
  z.object({ action: z.literal("write"), path, content: z.string() }),
]);

/** Lists, reads, searches and writes the files of the run's workspace. */
export const workspaceFilesTool: RuntimeTool = {
  name: "workspace_files",
  description: [
    "The files of this run's workspace.",
    "list: paths and sizes (optional prefix). read: a page of text of `path`; go on at next_offset.",
    "PDF, Word, Excel, PowerPoint and HTML files are read as text with the pages, slides or cells that it stands in: name them by `pages`, or by `sheet` and `range`.",
    "A picture is shown to you where you can see. search: what fits `query` best, with the page, cells or line. write: store `content` as a text file at `path`, replacing what is there.",
    "To compute on a file, name it to run_javascript instead of reading it page by page.",
  ].join(" "),
  kind: "internal",
  inputSchema: {
    type: "object",
    properties: {
      action: { type: "string", enum: ["list", "read", "search", "write"] },
      path: { type: "string", minLength: 1, maxLength: 1024, description: "For read and write." },
      prefix: { type: "string", maxLength: 1024, description: "For list and search." },
      query: { type: "string", minLength: 1, maxLength: 500, description: "For search." },
      offset: {
        type: "integer",
        minimum: 0,
        description: "For read: where to go on, by the last next_offset.",
      },
      max_bytes: {
        type: "integer",
        minimum: 1,
        maximum: PAGE_MAX_BYTES,
        description: "For read: the page's size.",
      },
      pages: {
        type: "string",
        maxLength: 20,
        description: "For read of a PDF or slides: 3, 3-5 or 3-.",
      },
      sheet: { type: "string", maxLength: 200, description: "For read of a workbook." },
      range: {
        type: "string",
        maxLength: 40,
        description: "For read of a workbook: A1:F20, A:C or 10:40.",
      },
      source: {
        type: "boolean",
        description: "For read of HTML: its source in place of its text.",
      },
      content: { type: "string", maxLength: WRITE_MAX_CHARACTERS, description: "For write." },
    },
    required: ["action"],
    additionalProperties: false,
  },
  async execute(args, context) {
    const { workspace } = context;
    if (workspace === null)
      throw new ToolFailure("This run has no workspace, so there are no files.");
    const parsed = argsSchema.safeParse(args);
    if (!parsed.success)
      throw new ToolFailure(
        `The action needs ${parsed.error.issues.map((issue) => issue.path.join(".")).join(", ")}.`,
      );
    return act(parsed.data, workspace, context);
  },
};

/** The path that a call would write to; null for one that writes nothing. */
export function readWrittenPath(args: unknown): string | null {
  const parsed = argsSchema.safeParse(args);
  return parsed.success && parsed.data.action === "write" ? parsed.data.path : null;
}

async function act(
  args: z.infer<typeof argsSchema>,
  workspace: WorkspacePort,
  context: ToolContext,
): Promise<ToolOutcome> {
  switch (args.action) {
    case "list": {
      const entries = await workspace.list(args.prefix);
      const files = entries
        .slice(0, LISTED_MAX)
        .map(({ path, size_bytes, content_type }) => ({ path, size_bytes, content_type }));
      const more = entries.length - files.length;
      return {
        succeeded: true,
        output: more > 0 ? { files, note: `${more} more; use a prefix.` } : { files },
      };
    }
    case "read":
      return {
        succeeded: true,
        output: {
          path: args.path,
          offset: args.offset,
          ...(await readFile(workspace, args, context)),
        },
      };
    case "search":
      return {
        succeeded: true,
        output: await searchFiles(workspace, args.query, args.prefix, context.signal),
      };
    case "write":
      return { succeeded: true, output: await workspace.write(args.path, args.content) };
  }
}

const FILES_MAX = 100;
const FILE_MAX_BYTES = 1024 * 1024;
const ALL_MAX_BYTES = 8 * 1024 * 1024;
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
  workspace: WorkspacePort,
  query: string,
  prefix: string | undefined,
  signal: AbortSignal,
): Promise<JsonObject> {
  const ranked = await workspace.search(query, prefix ?? "", signal);
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])].slice(
    0,
    WORDS_MAX,
  );
  const best = new BestMatches();
  const skipped: string[] = [];
  let leftBytes = ALL_MAX_BYTES;
  for (const [index, file] of (await workspace.list(prefix)).entries()) {
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
    const bytes = await workspace.readBytes(file.path, FILE_MAX_BYTES);
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
