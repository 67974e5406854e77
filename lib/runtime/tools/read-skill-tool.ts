import "server-only";
import { z } from "zod";
import { READ_SKILL_TOOL_NAME } from "@/lib/model/agent-config/built-in-tools";
import { decodePage } from "@/lib/runtime/tools/decode-page";
import { type RuntimeTool, ToolFailure, type ToolOutcome } from "@/lib/runtime/tools/tool";
import type { SkillPort } from "@/lib/runtime/tools/tool-ports";

const PAGE_BYTES = 32_768;
const FILES_LISTED_MAX = 200;

const argsSchema = z.object({ name: z.string(), path: z.string().optional(), offset: z.number().default(0) });

/** Gives a skill's text, or one of the files beside it, page by page, when the model asks for it. */
export function createReadSkillTool(skills: SkillPort): RuntimeTool {
  return {
    name: READ_SKILL_TOOL_NAME,
    description:
      "Read a skill of the list: its instructions, and the names of the files beside them. With `path`, read one of those files. Go on at next_offset where there is more.",
    kind: "read",
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, maxLength: 64, description: "The skill's name." },
        path: { type: "string", minLength: 1, maxLength: 1024, description: "A file of the skill; without it, its SKILL.md." },
        offset: { type: "integer", minimum: 0, description: "The byte to start at." },
      },
      required: ["name"],
      additionalProperties: false,
    },
    execute: (args) => read(argsSchema.parse(args), skills),
  };
}

async function read({ name, path, offset }: z.infer<typeof argsSchema>, skills: SkillPort): Promise<ToolOutcome> {
  const skill = await skills.find(name);
  if (!skill) throw new ToolFailure(`There is no skill ${JSON.stringify(name)}. The skills of this run stand in the system prompt.`);
  if (path === undefined || path === "SKILL.md") {
    const files = skill.files.slice(0, FILES_LISTED_MAX);
    return { succeeded: true, output: { name, ...page(Buffer.from(skill.content), offset), ...(files.length > 0 && { files }) } };
  }
  const bytes = await skills.readFile(name, path);
  if (!bytes) throw new ToolFailure(`The skill ${name} has no file ${JSON.stringify(path)}.`);
  if (bytes.subarray(0, 1_000).includes(0))
    throw new ToolFailure(`${path} is no text: it has ${bytes.byteLength} bytes that cannot be shown.`);
  return { succeeded: true, output: { name, path, ...page(bytes, offset) } };
}

function page(bytes: Uint8Array, offset: number) {
  const start = Math.min(offset, bytes.byteLength);
  const { text, next_offset, size_bytes } = decodePage(bytes.subarray(start, start + PAGE_BYTES), start, bytes.byteLength);
  return { text, next_offset, size_bytes };
}
