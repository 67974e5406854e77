import "server-only";
import { z } from "zod";
import { readFile } from "@/lib/runtime/tools/read-file";
import { searchFiles } from "@/lib/runtime/tools/search-files";
import { type RuntimeTool, type ToolContext, ToolFailure, type ToolOutcome } from "@/lib/runtime/tools/tool";
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
      offset: { type: "integer", minimum: 0, description: "For read: where to go on, by the last next_offset." },
      max_bytes: { type: "integer", minimum: 1, maximum: PAGE_MAX_BYTES, description: "For read: the page's size." },
      pages: { type: "string", maxLength: 20, description: "For read of a PDF or slides: 3, 3-5 or 3-." },
      sheet: { type: "string", maxLength: 200, description: "For read of a workbook." },
      range: { type: "string", maxLength: 40, description: "For read of a workbook: A1:F20, A:C or 10:40." },
      source: { type: "boolean", description: "For read of HTML: its source in place of its text." },
      content: { type: "string", maxLength: WRITE_MAX_CHARACTERS, description: "For write." },
    },
    required: ["action"],
    additionalProperties: false,
  },
  async execute(args, context) {
    const { workspace } = context;
    if (workspace === null) throw new ToolFailure("This run has no workspace, so there are no files.");
    const parsed = argsSchema.safeParse(args);
    if (!parsed.success) throw new ToolFailure(`The action needs ${parsed.error.issues.map((issue) => issue.path.join(".")).join(", ")}.`);
    return act(parsed.data, workspace, context);
  },
};

async function act(args: z.infer<typeof argsSchema>, workspace: WorkspacePort, context: ToolContext): Promise<ToolOutcome> {
  switch (args.action) {
    case "list": {
      const entries = await workspace.list(args.prefix);
      const files = entries.slice(0, LISTED_MAX).map(({ path, size_bytes, content_type }) => ({ path, size_bytes, content_type }));
      const more = entries.length - files.length;
      return { succeeded: true, output: more > 0 ? { files, note: `${more} more; use a prefix.` } : { files } };
    }
    case "read":
      return { succeeded: true, output: { path: args.path, offset: args.offset, ...(await readFile(workspace, args, context)) } };
    case "search":
      return { succeeded: true, output: await searchFiles(workspace, args.query, args.prefix, context.signal) };
    case "write":
      return { succeeded: true, output: await workspace.write(args.path, args.content) };
  }
}
