import "server-only";
import { z } from "zod";
import type { RuntimeTool } from "./tool";
import { ToolFailure } from "./tool-failure";

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

const argsSchema = z.object({ title: z.string(), name: z.string(), type: z.string().optional(), content: z.string() });

/** Makes a text file that belongs to the run's result. */
export const artifactsTool: RuntimeTool = {
  name: "artifacts",
  description:
    "Create a text file (Markdown, CSV, JSON, HTML, SVG, plain text) that the person gets as a part of the result. Use it for reports, tables and other documents, and say in the answer what the file holds.",
  kind: "internal",
  inputSchema: {
    type: "object",
    properties: {
      title: { type: "string", minLength: 1, maxLength: 200 },
      name: { type: "string", minLength: 1, maxLength: 120, description: "File name with an ending, such as report.md." },
      type: { type: "string", maxLength: 100, description: "Media type; without it, by the ending of the name." },
      content: { type: "string", maxLength: CONTENT_MAX_CHARACTERS },
    },
    required: ["title", "name", "content"],
    additionalProperties: false,
  },
  async execute(args, { artifacts, emit }) {
    const { title, name, type, content } = argsSchema.parse(args);
    const safeName = toFileName(name);
    const artifact = await artifacts.create({ title, name: safeName, type: toMediaType(type, safeName), content });
    emit({ type: "artifact.created", artifact });
    return {
      succeeded: true,
      output: { artifact_id: artifact.id, name: artifact.name, type: artifact.type, size_bytes: artifact.size_bytes },
    };
  },
};

/** The last part of a path, without what headers, shells and file systems trip over. */
function toFileName(name: string): string {
  const last = name.split(/[\\/]/).pop() ?? "";
  const clean = last
    .replace(/[\p{Cc}\p{Cf}"'`<>:|?*]/gu, "")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  if (clean === "") throw new ToolFailure("The name holds no character that a file name can have.");
  return clean;
}

function toMediaType(given: string | undefined, name: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  if (given === undefined) return TEXT_TYPES[ending] ?? "text/plain";
  if (Object.values(TEXT_TYPES).includes(given.toLowerCase())) return given.toLowerCase();
  throw new ToolFailure(`type must be one of ${Object.values(TEXT_TYPES).join(", ")}.`);
}
