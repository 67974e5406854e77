import "server-only";
import { z } from "zod";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { pathInRun } from "@/lib/model/run/run-file-path";
import { type BuiltIn, builtIn } from "@/lib/runtime/tools/built-in";
import { defineTool } from "@/lib/runtime/tools/define-tool";
import { readFile } from "@/lib/runtime/tools/read-file";
import { searchFiles } from "@/lib/runtime/tools/search-files";
import { type ToolContext, ToolFailure } from "@/lib/runtime/tools/tool";
import type { FilesPort } from "@/lib/runtime/tools/tool-ports";

const LISTED_MAX = 200;
const PAGE_DEFAULT_BYTES = 16_384;
const PAGE_MAX_BYTES = 32_768;
const WRITE_MAX_CHARACTERS = 1_000_000;
const path = z.string().min(1).max(1_100);
const text = z.string().max(WRITE_MAX_CHARACTERS);

const readArgs = z.strictObject({
  path: path.optional(),
  handle: path.meta({ description: "In place of path." }).optional(),
  offset: z.int().min(0).meta({ description: "The last next_offset." }).default(0),
  limit: z
    .int()
    .min(1)
    .max(PAGE_MAX_BYTES)
    .meta({ description: "Bytes of the page." })
    .default(PAGE_DEFAULT_BYTES),
  pages: z.string().max(20).meta({ description: "Of a PDF or slides: 3, 3-5 or 3-." }).optional(),
  sheet: z.string().max(200).meta({ description: "Of a workbook." }).optional(),
  range: z
    .string()
    .max(40)
    .meta({ description: "Of a workbook: A1:F20, A:C or 10:40." })
    .optional(),
  source: z.boolean().meta({ description: "Of HTML: its source." }).default(false),
});

/** Reads a page of a file of the run or its workspace. */
const filesReadTool = defineTool({
  name: "files_read",
  description: [
    "Read a page of a file; go on at next_offset. Read several files by several calls in one turn.",
    "Paths that begin with run: are this run's files, and to read those of earlier runs of " +
      "the conversation; all others are the workspace's. A stored result is read by its " +
      "handle, an artifact of an earlier run by its id.",
    "Documents (PDF, Word, Excel, PowerPoint, HTML) come as text with their pages, slides or " +
      "cells: choose by `pages`, or by `sheet` and `range`. Pictures are shown where you can " +
      "see, as are short PDFs read without `pages`.",
    "To compute on a file, name it to run_javascript instead.",
  ].join(" "),
  kind: "read",
  isPaged: true,
  // What stands in a run's files was shown to it, or could have been, when it was put there; and a
  // run with a workspace is private from its beginning.
  isOpen: true,
  args: readArgs,
  async execute({ handle, limit, ...request }, context) {
    const path = request.path ?? handle;
    if (path === undefined) throw new ToolFailure("Name the file by path or handle.");
    const read = await readFile(context.files, { ...request, path, max_bytes: limit }, context);
    return { succeeded: true, output: { path, offset: request.offset, ...read } };
  },
});

/** Lists files, or finds what fits a query in them. */
const filesSearchTool = defineTool({
  name: "files_search",
  description: [
    "The paths and sizes of all files; with a query what fits it best, with the page, cells " +
      "or line.",
    "`prefix` narrows it: a folder, a path, or run: alone.",
  ].join(" "),
  kind: "read",
  isPaged: true,
  isOpen: true,
  args: z.strictObject({
    query: z.string().min(1).max(500).optional(),
    prefix: z.string().max(1_100).optional(),
  }),
  async execute({ query, prefix }, { files, signal }) {
    const output =
      query === undefined
        ? await listFiles(files, prefix)
        : await searchFiles(files, query, prefix, signal);
    return { succeeded: true, output };
  },
});

async function listFiles(files: FilesPort, prefix: string | undefined): Promise<JsonObject> {
  const entries = await files.list(prefix);
  const shown = entries
    .slice(0, LISTED_MAX)
    .map(({ path, size_bytes, content_type }) => ({ path, size_bytes, content_type }));
  const more = entries.length - shown.length;
  return more > 0 ? { files: shown, note: `${more} more; use a prefix.` } : { files: shown };
}

/** Writes a text file of the run or its workspace. */
const filesWriteTool = defineTool({
  name: "files_write",
  description: [
    "Store a text file, replacing what is there.",
    "Drafts belong under run:. A long text goes on with append of files_edit. What code " +
      "computed it saves itself.",
  ].join(" "),
  kind: "internal",
  isOpen: true,
  args: z.strictObject({ path, content: text }),
  async execute(given, { files }) {
    return { succeeded: true, output: { ...(await files.write(given.path, given.content)) } };
  },
});

const editArgs = z.strictObject({
  path,
  old: text.min(1).optional(),
  new: text.optional(),
  append: text.optional(),
  copy_from: path.optional(),
  delete: z.boolean().optional(),
});

/** Changes a file in place, appends to it, copies or deletes it. */
const filesEditTool = defineTool({
  name: "files_edit",
  description: [
    "Change a file in one of four ways: `new` in place of `old`, which must stand there " +
      "exactly once; `append` at its end; `copy_from` another file; `delete`.",
    "A file of an earlier run stays as it is: its changed copy is this run's.",
  ].join(" "),
  kind: "internal",
  isOpen: true,
  args: editArgs,
  async execute(given, context) {
    return { succeeded: true, output: await edit(given, context) };
  },
});

async function edit(args: z.infer<typeof editArgs>, { files }: ToolContext): Promise<JsonObject> {
  const { path, old, new: fresh, append, copy_from, delete: removes } = args;
  const ways = [old ?? fresh, append, copy_from, removes || undefined];
  if (ways.filter((way) => way !== undefined).length !== 1)
    throw new ToolFailure("Give one of: old with new, append, copy_from, delete: true.");
  if (append !== undefined) return { ...(await files.append(path, append)) };
  if (copy_from !== undefined) return { ...(await files.copy(copy_from, path)) };
  if (removes) return { path, deleted: await files.remove(path) };
  if (old === undefined || fresh === undefined)
    throw new ToolFailure("To change a text give both old and new.");
  return { ...(await files.edit(path, (text) => replaceOnce(text, old, fresh, path))) };
}

function replaceOnce(text: string, old: string, fresh: string, path: string): string {
  const at = text.indexOf(old);
  if (at < 0)
    throw new ToolFailure(
      `${path} does not hold the text of old exactly as it is written. Nothing was changed; read ` +
        "the place again.",
    );
  if (text.indexOf(old, at + 1) >= 0)
    throw new ToolFailure(
      `${path} holds the text of old more than once. Nothing was changed; give more of what ` +
        "stands around it.",
    );
  return text.slice(0, at) + fresh + text.slice(at + old.length);
}

/** What each of them says of itself beside what it writes. */
const FILES = {
  offered: "config",
  group: "files",
  reaches: true,
  within: true,
  worksDry: true,
  rule:
    "Files of the run itself (run:…) last as long as it, and later runs of the conversation " +
    "can read them. What older texts call workspace_files are the tools files_….",
  guide:
    "files of the workspace and of the run; text, PDF, Word, Excel, PowerPoint, pictures " +
    "where the model sees",
} as const;

/** The tools for the files of a run and its workspace. */
export const FILE_TOOLS: readonly BuiltIn[] = [
  builtIn(filesReadTool, { ...FILES, writes: "nothing" }),
  builtIn(filesSearchTool, { ...FILES, writes: "nothing" }),
  builtIn(filesWriteTool, { ...FILES, writes: "inside" }),
  builtIn(filesEditTool, { ...FILES, writes: "inside" }),
];

const writtenPath = z.object({ path: z.string() });

/** The path of the workspace that a call would change; null for one that changes nothing there. */
export function readSpoiledPath(name: string, args: unknown): string | null {
  if (name !== filesWriteTool.name && name !== filesEditTool.name) return null;
  // Whatever else the call says: bounds are no reason to overlook it.
  const parsed = writtenPath.safeParse(args);
  return parsed.success && pathInRun(parsed.data.path) === null ? parsed.data.path : null;
}
