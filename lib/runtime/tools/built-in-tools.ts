import "server-only";
import { z } from "zod";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import type { EgressOptions } from "@/lib/platform/egress/open-egress";
import { newId } from "@/lib/platform/ids";
import { type GuestOutcome, runGuestCode } from "@/lib/runtime/sandbox/run-guest-code";
import { keepFiles, readInput, toFileName, withFiles } from "@/lib/runtime/tools/keep-files";
import { readForCode } from "@/lib/runtime/tools/read-file";
import { runPythonTool } from "@/lib/runtime/tools/run-python-tool";
import {
  type RuntimeTool,
  type ToolContext,
  ToolFailure,
  type ToolOutcome,
} from "@/lib/runtime/tools/tool";
import { createWebFetchTool, type FetchRule } from "@/lib/runtime/tools/web-fetch-tool";
import { createWebSearchTool, type SearchProvider } from "@/lib/runtime/tools/web-search-tool";
import { workspaceFilesTool } from "@/lib/runtime/tools/workspace-files-tool";

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
  title: z.string(),
  name: z.string(),
  type: z.string().optional(),
  content: z.string(),
});

/** Makes a text file that belongs to the run's result. */
const artifactsTool: RuntimeTool = {
  name: "artifacts",
  description:
    "Create a text file (Markdown, CSV, JSON, HTML, SVG, plain text) that the person gets as a part of the result. Use it for reports, tables and other documents, and say in the answer what the file holds.",
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
    },
    required: ["title", "name", "content"],
    additionalProperties: false,
  },
  async execute(args, { artifacts, emit }) {
    const { title, name, type, content } = argsSchemaOfArtifactsTool.parse(args);
    const safeName = toFileName(name);
    const artifact = await artifacts.create({
      title,
      name: safeName,
      type: toMediaType(type, safeName),
      content,
    });
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

/** Computes by code in the sandbox, on files where they are named, and makes files of it. */
const runJavascriptTool: RuntimeTool = {
  name: "run_javascript",
  description: [
    "Run JavaScript in a sandbox: for every figure, sum, comparison or change of data, since code does not miscalculate, and to make files of what it computes.",
    "The result is the value of the last expression, or what `return` gives; `console.log` is shown too. `await` works with `return`.",
    'Name files of the workspace, or made earlier in this run, in `files` to have their text as files["path"]. `readTable(path)` gives the rows of a CSV, TSV, JSON or JSON-lines file as objects, numbers as numbers and gaps as null; `parseCsv(text)` does so for a text.',
    'A workbook\'s first sheet is CSV under its path, each of its sheets under "path#sheet"; PDF, Word and PowerPoint files are text.',
    'Files for the person, made of data without typing it: `make.xlsx(path, rows)` or `make.xlsx(path, {sheets: {Name: {rows, chart, columns?, formats?: {col: "0.0%"}}}})`; `make.csv(path, rows)`; `make.pdf(path, {title, content, max_pages?, landscape?})`; `make.docx(path, {title, content})`; `make.pptx(path, {title, slides: [{title, content, notes?}]})`; `make.png(path, chart)`, `make.svg(path, chart)`; `make.zip(path, [paths])`; `save(path, textOrBytes)`.',
    'content: Markdown, or a list of Markdown and {table: rows}, {chart}, {image: path}. chart: {type: bar|line|area|pie|scatter, data: rows, x: column, y: column or columns, title, horizontal?, stacked?}; on a sheet without data, as it shows its rows. A cell {formula: "SUM(B2:B9)"} computes.',
    "No network, no file system, no timers, 256 MB. No variable is kept between calls, files are.",
  ].join(" "),
  kind: "internal",
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
    const { accountId, signal, untimed, codeSeconds } = context;
    const { code, files } = argsSchemaOfRunJavascriptTool.parse(args);
    const outcome = await runGuestCode({
      code,
      files: await readFiles(files, context),
      accountId,
      signal,
      ...(untimed && { untimed }),
      ...(codeSeconds !== undefined && { deadlineMilliseconds: codeSeconds * 1000 }),
    });
    const told = toOutcome(outcome);
    return outcome.ok ? withFiles(told, await keepFiles(outcome.orders, context)) : told;
  },
};

async function readFiles(paths: string[], context: ToolContext): Promise<Record<string, string>> {
  const texts: [string, string][] = [];
  let left = FILES_MAX_BYTES;
  for (const path of new Set(paths)) {
    const bytes = await readInput(path, left, context);
    left -= bytes.length;
    texts.push(...(await readForCode(path, bytes, context)));
  }
  return Object.fromEntries(texts);
}

function toOutcome(outcome: GuestOutcome): ToolOutcome {
  const log: JsonObject = outcome.log === "" ? {} : { log: outcome.log };
  if (!outcome.ok) return { succeeded: false, output: { error: outcome.error, ...log } };
  if (outcome.cut)
    return {
      succeeded: true,
      output: {
        result_text: outcome.result,
        note: "The result was longer and is cut; return less.",
        ...log,
      },
    };
  // The sandbox answers JSON text made by its own serializer, and the guest cannot reach that.
  return { succeeded: true, output: { result: JSON.parse(outcome.result) as JsonValue, ...log } };
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
  workspaceFilesTool,
  runJavascriptTool,
  runPythonTool,
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
