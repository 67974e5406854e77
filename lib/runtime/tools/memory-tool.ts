import "server-only";
import { z } from "zod";
import { MEMORY_TOOL_NAME } from "@/lib/model/agent-config/built-in-tools";
import { MEMORY_TEXT_MAX_CHARACTERS } from "@/lib/model/limits";
import { isUuid } from "@/lib/model/uuid";
import type { BuiltIn } from "@/lib/runtime/tools/built-in";
import { defineTool } from "@/lib/runtime/tools/define-tool";
import {
  type RuntimeTool,
  type ToolContext,
  ToolFailure,
  type ToolOutcome,
} from "@/lib/runtime/tools/tool";
import type { MemoryPort } from "@/lib/runtime/tools/tool-ports";

const args = z.strictObject({
  action: z.enum(["save", "update", "delete", "list"]),
  text: z.string().min(1).max(MEMORY_TEXT_MAX_CHARACTERS).optional(),
  memory_id: z
    .string()
    .max(64)
    .meta({ description: "A note's id, as it stands in brackets before it." })
    .optional(),
  search: z.string().min(1).max(200).optional(),
});

/** Keeps notes across conversations. */
function createMemoryTool(memory: MemoryPort): RuntimeTool {
  return defineTool({
    name: MEMORY_TOOL_NAME,
    description:
      "Keep notes for later conversations. `save` a short statement in `text`; `update` the " +
      "note `memory_id` to `text`; `delete` the note `memory_id`; `list` the notes, those " +
      "that hold `search` where it is given.",
    kind: "internal",
    args,
    execute: (given, context) => act(given, memory, context),
  });
}

export const MEMORY: BuiltIn = {
  facts: {
    name: MEMORY_TOOL_NAME,
    offered: "memory",
    writes: "inside",
    within: true,
    keepsName: true,
  },
  make: ({ memory }) => memory && createMemoryTool(memory),
};

async function act(
  given: z.infer<typeof args>,
  memory: MemoryPort,
  { toolCallId }: ToolContext,
): Promise<ToolOutcome> {
  switch (given.action) {
    case "save": {
      const { id } = await memory.save(requireText(given), toolCallId);
      return { succeeded: true, output: { memory_id: id } };
    }
    case "update":
      return found(await memory.update(requireId(given), requireText(given)));
    case "delete":
      return found(await memory.remove(requireId(given)));
    case "list": {
      const notes = await memory.list(given.search ?? null);
      return {
        succeeded: true,
        output: { notes: notes.map(({ id, text }) => ({ memory_id: id, text })) },
      };
    }
  }
}

function found(isThere: boolean): ToolOutcome {
  if (!isThere) throw new ToolFailure("There is no such note: list them anew.");
  return { succeeded: true, output: { done: true } };
}

function requireText({ text }: { text?: string | undefined }): string {
  // What a database cannot hold stands for nothing in a note.
  const clean = text?.replaceAll("\u0000", "").toWellFormed().trim() ?? "";
  if (clean === "") throw new ToolFailure("Say in text what is to be noted.");
  return clean;
}

function requireId({ memory_id: id = "" }: { memory_id?: string | undefined }): string {
  if (!isUuid(id)) throw new ToolFailure("Name the note by its memory_id.");
  return id;
}
