import "server-only";
import { z } from "zod";
import { searchFiles } from "./search-files";
import type { RuntimeTool, ToolOutcome } from "./tool";
import { ToolFailure } from "./tool-failure";
import type { WorkspacePort } from "./workspace-port";

const LISTED_MAX = 200;
const PAGE_DEFAULT_BYTES = 16_384;
const PAGE_MAX_BYTES = 32_768;
const WRITE_MAX_CHARACTERS = 1_000_000;

const path = z.string();
const argsSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("list"), prefix: z.string().optional() }),
  z.object({ action: z.literal("read"), path, offset: z.number().default(0), max_bytes: z.number().default(PAGE_DEFAULT_BYTES) }),
  z.object({ action: z.literal("search"), query: z.string(), prefix: z.string().optional() }),
  z.object({ action: z.literal("write"), path, content: z.string() }),
]);

/** Lists, reads, searches and writes the files of the run's workspace. */
export const workspaceFilesTool: RuntimeTool = {
  name: "workspace_files",
  description: [
    "The files of this run's workspace.",
    "list: paths and sizes (optional prefix). read: a page of text of `path`; go on at next_offset.",
    "search: lines of text files that hold words of `query`. write: store `content` as a text file at `path`, replacing what is there.",
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
      offset: { type: "integer", minimum: 0, description: "For read: the byte to start at." },
      max_bytes: { type: "integer", minimum: 1, maximum: PAGE_MAX_BYTES, description: "For read: the page's size." },
      content: { type: "string", maxLength: WRITE_MAX_CHARACTERS, description: "For write." },
    },
    required: ["action"],
    additionalProperties: false,
  },
  async execute(args, { workspace, signal }) {
    if (workspace === null) throw new ToolFailure("This run has no workspace, so there are no files.");
    const parsed = argsSchema.safeParse(args);
    if (!parsed.success) throw new ToolFailure(`The action needs ${parsed.error.issues.map((issue) => issue.path.join(".")).join(", ")}.`);
    return act(parsed.data, workspace, signal);
  },
};

async function act(args: z.infer<typeof argsSchema>, workspace: WorkspacePort, signal: AbortSignal): Promise<ToolOutcome> {
  switch (args.action) {
    case "list": {
      const entries = await workspace.list(args.prefix);
      const files = entries.slice(0, LISTED_MAX).map(({ path, size_bytes, content_type }) => ({ path, size_bytes, content_type }));
      const more = entries.length - files.length;
      return { succeeded: true, output: more > 0 ? { files, note: `${more} more; use a prefix.` } : { files } };
    }
    case "read": {
      const page = await workspace.read(args.path, { offset: args.offset, maxBytes: args.max_bytes });
      return { succeeded: true, output: { path: args.path, offset: args.offset, ...page } };
    }
    case "search":
      return { succeeded: true, output: await searchFiles(workspace, args.query, args.prefix, signal) };
    case "write":
      return { succeeded: true, output: await workspace.write(args.path, args.content) };
  }
}
