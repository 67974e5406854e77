import "server-only";
import { z } from "zod";
import { trimBoth } from "@/lib/model/text/trim";
import type { EgressOptions } from "@/lib/platform/egress/open-egress";
import { newId } from "@/lib/platform/ids";
import { defineTool } from "@/lib/runtime/tools/define-tool";
import { FILE_TOOLS } from "@/lib/runtime/tools/file-tools";
import { runJavascriptTool } from "@/lib/runtime/tools/run-javascript-tool";
import { runPythonTool } from "@/lib/runtime/tools/run-python-tool";
import { type RuntimeTool, ToolFailure } from "@/lib/runtime/tools/tool";
import type { FilesPort, NewArtifact } from "@/lib/runtime/tools/tool-ports";
import { createWebFetchTool, type FetchRule } from "@/lib/runtime/tools/web-fetch-tool";
import {
  createWebSearchTool,
  type ModelSearch,
  type SearchProvider,
} from "@/lib/runtime/tools/web-search-tool";

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

const artifactArgs = z.strictObject({
  title: z.string().min(1).max(200).optional(),
  name: z
    .string()
    .min(1)
    .max(120)
    .meta({ description: "File name with an ending, such as report.md." })
    .optional(),
  type: z
    .string()
    .max(100)
    .meta({ description: "Media type; without it, by the ending of the name." })
    .optional(),
  content: z.string().max(CONTENT_MAX_CHARACTERS).optional(),
  from: z
    .string()
    .min(1)
    .max(1_100)
    .meta({
      description: "The path of a file, in place of content: run:report.xlsx. Its name is kept.",
    })
    .optional(),
});

/** Makes a file that belongs to the run's result: of a text, or of a file that is there. */
const artifactsTool = defineTool({
  name: "artifacts",
  description:
    "Give the person a file as a part of the result: `from` hands over a file of the run or its workspace as it is (what code has saved, say), of any type; else name, title and `content` make a text file (Markdown, CSV, JSON, HTML, SVG, plain text). Use it for reports, tables and other documents, and say in the answer what the file holds.",
  kind: "internal",
  isOpen: true,
  args: artifactArgs,
  async execute(given, { artifacts, files, emit }) {
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
});

async function toArtifact(
  { title, name, type, content, from }: z.infer<typeof artifactArgs>,
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

const ITEMS_MAX = 30;
const TEXT_MAX_CHARACTERS = 300;

/** Replaces the run's todo list and shows it as a card. */
const todoTool = defineTool({
  name: "todo",
  description:
    "Write the whole todo list of this run; it replaces the former one and is shown to the person who follows the run. Use it for work of several steps: once at the start, and again whenever a step is done.",
  kind: "internal",
  isOpen: true,
  args: z.strictObject({
    items: z
      .array(
        z.strictObject({
          text: z.string().min(1).max(TEXT_MAX_CHARACTERS),
          done: z.boolean(),
        }),
      )
      .min(1)
      .max(ITEMS_MAX),
  }),
  async execute({ items }, { todo, emit }) {
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
});

/** The tools that the service itself brings, by the names that an agent's config uses. */
export const BUILT_IN_TOOLS: readonly RuntimeTool[] = [
  ...FILE_TOOLS,
  runJavascriptTool,
  runPythonTool,
  todoTool,
  artifactsTool,
];

interface WebReach {
  reach: EgressOptions;
  /** Null: nothing can be searched. */
  search: SearchProvider | null;
  /** Where there is no such provider: the one of the run's model. Absent: it has none. */
  modelSearch?: ModelSearch | null;
  /** Null: every public host may be fetched from without asking. */
  fetchRule: FetchRule | null;
}

/**
 * The built-in tools that reach out to the web. The search provider's address is the operator's,
 * who may point it at a host of their own network.
 */
export function createWebTools({
  reach,
  search,
  modelSearch = null,
  fetchRule,
}: WebReach): RuntimeTool[] {
  return [createWebFetchTool(reach, fetchRule), createWebSearchTool(search, reach, modelSearch)];
}
