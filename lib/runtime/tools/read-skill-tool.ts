import "server-only";
import { z } from "zod";
import { READ_SKILL_TOOL_NAME } from "@/lib/model/agent-config/built-in-tools";
import type { BuiltIn } from "@/lib/runtime/tools/built-in";
import { defineTool } from "@/lib/runtime/tools/define-tool";
import { type RuntimeTool, ToolFailure, type ToolOutcome } from "@/lib/runtime/tools/tool";
import type { FilePage, SkillPort } from "@/lib/runtime/tools/tool-ports";

const PAGE_BYTES = 32_768;
const FILES_LISTED_MAX = 200;

const args = z.strictObject({
  name: z.string().min(1).max(64),
  path: z.string().min(1).max(1024).optional(),
  offset: z.int().min(0).default(0),
});

/**
 * Gives a skill's text, or one of the files beside it, page by page, when the model asks for it.
 */
function createReadSkillTool(skills: SkillPort): RuntimeTool {
  return defineTool({
    name: READ_SKILL_TOOL_NAME,
    description:
      "Read a skill: its instructions, and the names of the files beside them; with `path`, " +
      "one of those files. Go on at next_offset.",
    kind: "read",
    isOpen: true,
    args,
    execute: (given) => read(given, skills),
  });
}

export const READ_SKILL: BuiltIn = {
  facts: {
    name: READ_SKILL_TOOL_NAME,
    offered: "always",
    writes: "nothing",
    within: true,
    worksDry: true,
    keepsName: true,
  },
  make: ({ skills }) => createReadSkillTool(skills),
};

async function read(
  { name, path, offset }: z.infer<typeof args>,
  skills: SkillPort,
): Promise<ToolOutcome> {
  const skill = await skills.find(name);
  if (!skill)
    throw new ToolFailure(
      `There is no skill ${JSON.stringify(name)}. The skills of this run stand in the system ` +
        "prompt.",
    );
  if (path === undefined || path === "SKILL.md") {
    const files = skill.files.slice(0, FILES_LISTED_MAX);
    return {
      succeeded: true,
      output: {
        name,
        ...page(Buffer.from(skill.content), offset),
        ...(files.length > 0 && { files }),
      },
    };
  }
  const bytes = (await skills.readFile(name, path))?.bytes;
  if (!bytes) throw new ToolFailure(`The skill ${name} has no file ${JSON.stringify(path)}.`);
  if (bytes.subarray(0, 1_000).includes(0))
    throw new ToolFailure(
      `${path} is no text: it has ${bytes.byteLength} bytes that cannot be shown.`,
    );
  return { succeeded: true, output: { name, path, ...page(bytes, offset) } };
}

function page(bytes: Uint8Array, offset: number) {
  const start = Math.min(offset, bytes.byteLength);
  const { text, next_offset, size_bytes } = decodePage(
    bytes.subarray(start, start + PAGE_BYTES),
    start,
    bytes.byteLength,
  );
  return { text, next_offset, size_bytes };
}

const LONGEST_CHARACTER_BYTES = 4;

/**
 * A page of text out of the bytes read at `offset` of a file of `sizeBytes`. The start of a
 * character that the page cuts is left for the next page, so that joined pages give the file's
 * text. Bytes that are no UTF-8 read as U+FFFD.
 */
export function decodePage(bytes: Uint8Array, offset: number, sizeBytes: number): FilePage {
  const isLast = offset + bytes.length >= sizeBytes;
  const kept = isLast ? bytes : bytes.subarray(0, bytes.length - cutBytes(bytes));
  const text = new TextDecoder("utf-8", { ignoreBOM: offset > 0 }).decode(kept);
  return {
    text,
    truncated: offset > 0 || !isLast,
    next_offset: isLast ? null : offset + kept.length,
    size_bytes: sizeBytes,
  };
}

/**
 * How many bytes at the end belong to a character that is not there as a whole; 0 rather than a
 * page without progress.
 */
function cutBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(LONGEST_CHARACTER_BYTES, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back && back < bytes.length ? back : 0;
  }
  return 0;
}
