import "server-only";
import { z } from "zod";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { trimBoth } from "@/lib/model/text/trim";
import type { EgressOptions } from "@/lib/platform/egress/open-egress";
import { newId } from "@/lib/platform/ids";
import {
  GUEST_FILES_MAX_BYTES,
  type GuestOutcome,
  type GuestRead,
  GuestReadFailed,
  runGuestCode,
} from "@/lib/runtime/sandbox/run-guest-code";
import { FILE_TOOLS } from "@/lib/runtime/tools/file-tools";
import { readForCode } from "@/lib/runtime/tools/read-file";
import {
  type RuntimeTool,
  type ToolContext,
  ToolFailure,
  type ToolOutcome,
} from "@/lib/runtime/tools/tool";
import type { FilesPort, NewArtifact, SavedFile } from "@/lib/runtime/tools/tool-ports";
import { createWebFetchTool, type FetchRule } from "@/lib/runtime/tools/web-fetch-tool";
import { createWebSearchTool, type SearchProvider } from "@/lib/runtime/tools/web-search-tool";

const CONTENT_MAX_CHARACTERS = 1_000_000;
const TEXT_TYPES: Record<string, string> = {
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  md: "text/markdown",
  svg: "image/svg+xml",
  txt: "text/plain",
  tsv: "text/tab-separated-values",
  xml: "application/xml",
  yaml: "application/yaml",
};

const argsSchemaOfArtifactsTool = z.object({
  title: z.string().optional(),
  name: z.string().optional(),
  type: z.string().optional(),
  content: z.string().optional(),
  from: z.string().optional(),
});

/** Makes a file that belongs to the run's result: of a text, or of a file that is there. */
const artifactsTool: RuntimeTool = {
  name: "artifacts",
  description:
    "Give the person a file as a part of the result: `from` hands over a file of the run or its workspace as it is (what code has saved, say), of any type; else name, title and `content` make a text file (Markdown, CSV, JSON, HTML, SVG, plain text). Use it for reports, tables and other documents, and say in the answer what the file holds.",
  kind: "internal",
  isOpen: true,
  inputSchema: {
    type: "object",
    properties: {
      title: { type: "string", minLength: 1, maxLength: 200 },
      name: {
        type: "string",
        minLength: 1,
        maxLength: 120,
        description: "File name with an ending, such as report.md.",
      },
      type: {
        type: "string",
        maxLength: 100,
        description: "Media type; without it, by the ending of the name.",
      },
      content: { type: "string", maxLength: CONTENT_MAX_CHARACTERS },
      from: {
        type: "string",
        minLength: 1,
        maxLength: 1_100,
        description: "The path of a file, in place of content: run:report.xlsx. Its name is kept.",
      },
    },
    additionalProperties: false,
  },
  async execute(args, { artifacts, files, emit }) {
    const given = argsSchemaOfArtifactsTool.parse(args);
    const artifact = await artifacts.create(await toArtifact(given, files));
    emit({ type: "artifact.created", artifact });
    return {
      succeeded: true,
      output: {
        artifact_id: artifact.id,
        name: artifact.name,
        type: artifact.type,
        size_bytes: artifact.size_bytes,
      },
    };
  },
};

async function toArtifact(
  { title, name, type, content, from }: z.infer<typeof argsSchemaOfArtifactsTool>,
  files: FilesPort,
): Promise<NewArtifact> {
  if (from !== undefined && content !== undefined)
    throw new ToolFailure("Give content or from, not both.");
  if (from !== undefined) {
    const file = await files.open(from);
    const safeName = toFileName(name ?? file.name);
    return {
      title: title ?? safeName,
      name: safeName,
      type: type === undefined ? file.content_type : toMediaType(type, safeName),
      content: await file.open(),
    };
  }
  const called = name ?? title;
  if (called === undefined || content === undefined)
    throw new ToolFailure("A new text file needs content, and a title or a name.");
  const safeName = name === undefined ? withEnding(toFileName(called), type) : toFileName(called);
  return { title: title ?? safeName, name: safeName, type: toMediaType(type, safeName), content };
}

/** A file that has no name yet: its title's, with the ending of its type. */
function withEnding(name: string, type = "text/plain"): string {
  const ending = Object.keys(TEXT_TYPES).find((each) => TEXT_TYPES[each] === type.toLowerCase());
  return ending === undefined || name.toLowerCase().endsWith(`.${ending}`)
    ? name
    : `${name}.${ending}`;
}

/** The last part of a path, without what headers, shells and file systems trip over. */
function toFileName(name: string): string {
  const last = name.split(/[\\/]/).pop() ?? "";
  const clean = trimBoth(last.replace(/[\p{Cc}\p{Cf}"'`<>:|?*]/gu, "").replace(/\s+/g, " "), ". ");
  if (clean === "") throw new ToolFailure("The name holds no character that a file name can have.");
  return clean;
}

function toMediaType(given: string | undefined, name: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  if (given === undefined) return TEXT_TYPES[ending] ?? "text/plain";
  if (Object.values(TEXT_TYPES).includes(given.toLowerCase())) return given.toLowerCase();
  throw new ToolFailure(`type must be one of ${Object.values(TEXT_TYPES).join(", ")}.`);
}

const CODE_MAX_CHARACTERS = 100_000;
const FILES_MAX = 20;
const FILES_MAX_BYTES = 16 * 1024 * 1024;

const argsSchemaOfRunJavascriptTool = z.object({
  code: z.string(),
  files: z.array(z.string()).default([]),
});

/** Computes by code in the sandbox, on workspace files where they are named. */
const runJavascriptTool: RuntimeTool = {
  name: "run_javascript",
  description: [
    "Run JavaScript in a sandbox: for every figure, sum, comparison or change of data, since code does not miscalculate.",
    "The result is the value of the last expression, or what `return` gives; `console.log` is shown too. `await` works with `return`.",
    'files["path"] is the text of a file of the workspace or the run (run:…), `read(path)` its bytes as a Uint8Array; those named in `files` are read before the code begins. `readTable(path)` gives the rows of a CSV, TSV, JSON or JSON-lines file as objects, numbers as numbers and gaps as null; `parseCsv(text)` does so for a text.',
    'A workbook\'s first sheet is CSV under its path, each of its sheets under "path#sheet"; PDF, Word and PowerPoint files are text.',
    "`save(path, textOrBytes)` stores a file of the run, up to 64 MiB (`{append: true}` as a third argument adds to it, piece by piece); other tools find it as run:path, and artifacts hands it over by `from`: what is computed is never typed again.",
    "No network, no timers, 10 seconds, 256 MB. Only saved files are kept between calls, and only when the code ends without an error.",
  ].join(" "),
  kind: "read",
  // Of files it computes only in a run with a workspace, which is private from its beginning.
  isOpen: true,
  inputSchema: {
    type: "object",
    properties: {
      code: { type: "string", minLength: 1, maxLength: CODE_MAX_CHARACTERS },
      files: {
        type: "array",
        maxItems: FILES_MAX,
        items: { type: "string", minLength: 1, maxLength: 1024 },
      },
    },
    required: ["code"],
    additionalProperties: false,
  },
  async execute(args, context) {
    const { accountId, signal, untimed } = context;
    const { code, files } = argsSchemaOfRunJavascriptTool.parse(args);
    const outcome = await runGuestCode({
      code,
      files: await readFiles(files, context),
      read: guestRead(context),
      accountId,
      signal,
      untimed,
    });
    const saved = outcome.ok ? await context.files.saveAll(outcome.files) : [];
    return toOutcome(outcome, saved);
  },
};

async function readFiles(paths: string[], context: ToolContext): Promise<Record<string, string>> {
  const texts: [string, string][] = [];
  let left = FILES_MAX_BYTES;
  for (const path of new Set(paths)) {
    const bytes = await context.files.readBytes(path, left);
    left -= bytes.length;
    texts.push(...(await readForCode(path, bytes, context)));
  }
  return Object.fromEntries(texts);
}

/** What code asks for while it works: a file's bytes, or its text, of a workbook by sheets too. */
function guestRead(context: ToolContext): GuestRead {
  const texts = new Map<string, string>();
  const readText = async (path: string) => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    const file = (await context.files.find(path)) ? path : path.split("#", 1)[0];
    if (file === undefined || !(await context.files.find(file))) return null;
    const bytes = await context.files.readBytes(file, GUEST_FILES_MAX_BYTES);
    for (const [name, text] of await readForCode(file, bytes, context)) texts.set(name, text);
    return texts.get(path) ?? null;
  };
  return async (path, form) => {
    try {
      if (form === "text") {
        const text = await readText(path);
        return text === null ? null : new TextEncoder().encode(text);
      }
      return (await context.files.find(path))
        ? await context.files.readBytes(path, GUEST_FILES_MAX_BYTES)
        : null;
    } catch (error) {
      throw error instanceof ToolFailure ? new GuestReadFailed(error.message) : error;
    }
  };
}

function toOutcome(outcome: GuestOutcome, files: readonly SavedFile[]): ToolOutcome {
  const log: JsonObject = outcome.log === "" ? {} : { log: outcome.log };
  if (!outcome.ok) return { succeeded: false, output: { error: outcome.error, ...log } };
  const saved: JsonObject = files.length === 0 ? {} : { saved: files.map((file) => ({ ...file })) };
  if (outcome.cut)
    return {
      succeeded: true,
      output: {
        result_text: outcome.result,
        note: "The result was longer and is cut; return less, or save it as a file.",
        ...saved,
        ...log,
      },
    };
  // The sandbox answers JSON text made by its own serializer, and the guest cannot reach that.
  const result = JSON.parse(outcome.result) as JsonValue;
  return { succeeded: true, output: { result, ...saved, ...log } };
}

const ITEMS_MAX = 30;
const TEXT_MAX_CHARACTERS = 300;

const argsSchema = z.object({
  items: z.array(z.object({ text: z.string(), done: z.boolean().default(false) })),
});

/** Replaces the run's todo list and shows it as a card. */
const todoTool: RuntimeTool = {
  name: "todo",
  description:
    "Write the whole todo list of this run; it replaces the former one and is shown to the person who follows the run. Use it for work of several steps: once at the start, and again whenever a step is done.",
  kind: "internal",
  isOpen: true,
  inputSchema: {
    type: "object",
    properties: {
      items: {
        type: "array",
        minItems: 1,
        maxItems: ITEMS_MAX,
        items: {
          type: "object",
          properties: {
            text: { type: "string", minLength: 1, maxLength: TEXT_MAX_CHARACTERS },
            done: { type: "boolean" },
          },
          required: ["text", "done"],
          additionalProperties: false,
        },
      },
    },
    required: ["items"],
    additionalProperties: false,
  },
  async execute(args, { todo, emit }) {
    const { items } = argsSchema.parse(args);
    const type = todo.cardId === null ? "card.created" : "card.updated";
    todo.cardId ??= newId();
    todo.items = items.map((item, index) => ({ id: String(index + 1), ...item }));
    const open = todo.items.filter((item) => !item.done).length;
    const card = {
      card_id: todo.cardId,
      kind: "todo",
      status: open === 0 ? "done" : "in_progress",
      title: "To do",
      items: todo.items,
    } as const;
    emit({ type, card: { ...card, items: [...card.items] } });
    return { succeeded: true, output: { items: items.length, open } };
  },
};

/** The tools that the service itself brings, by the names that an agent's config uses. */
export const BUILT_IN_TOOLS: readonly RuntimeTool[] = [
  ...FILE_TOOLS,
  runJavascriptTool,
  todoTool,
  artifactsTool,
];

interface WebReach {
  reach: EgressOptions;
  /** Null: nothing can be searched. */
  search: SearchProvider | null;
  /** Null: every public host may be fetched from without asking. */
  fetchRule: FetchRule | null;
}

/**
 * The built-in tools that reach out to the web. The search provider's address is the operator's,
 * who may point it at a host of their own network.
 */
export function createWebTools({ reach, search, fetchRule }: WebReach): RuntimeTool[] {
  return [createWebFetchTool(reach, fetchRule), createWebSearchTool(search, reach)];
}
