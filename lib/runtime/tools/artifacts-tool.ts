import "server-only";
import { z } from "zod";
import { trimBoth } from "@/lib/model/text/trim";
import { builtIn } from "@/lib/runtime/tools/built-in";
import { defineTool } from "@/lib/runtime/tools/define-tool";
import { ToolFailure } from "@/lib/runtime/tools/tool";
import type { FilesPort, NewArtifact } from "@/lib/runtime/tools/tool-ports";

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
  name: z.string().min(1).max(120).meta({ description: "With an ending: report.md." }).optional(),
  type: z
    .string()
    .max(100)
    .meta({ description: "Media type; else by the ending of the name." })
    .optional(),
  content: z.string().max(CONTENT_MAX_CHARACTERS).optional(),
  from: z
    .string()
    .min(1)
    .max(1_100)
    .meta({
      description: "A path, in place of content: run:report.xlsx. Its name is kept.",
    })
    .optional(),
});

/** Makes a file that belongs to the run's result: of a text, or of a file that is there. */
const artifactsTool = defineTool({
  name: "artifacts",
  description:
    "Give the person a file with the result, where a report, a table or another document is " +
    "wanted: `from` hands over a file of the run or the workspace as it is (what code has " +
    "saved, say); else name, title and `content` make a text file (Markdown, CSV, JSON, " +
    "HTML, SVG, plain text). Still answer in words, and say what the file holds.",
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

export const ARTIFACTS = builtIn(artifactsTool, {
  offered: "config",
  writes: "inside",
  within: true,
  worksDry: true,
  keepsName: true,
  guide: "a file for the person: a text that the model writes, or a file that code has made",
});
