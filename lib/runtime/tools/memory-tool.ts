import "server-only";
import { z } from "zod";
import { MEMORY_TOOL_NAME } from "@/lib/model/agent-config/built-in-tools";
import { MEMORY_TEXT_MAX_CHARACTERS } from "@/lib/model/limits";
import { isUuid } from "@/lib/model/uuid";
import {
  type RuntimeTool,
  type ToolContext,
  ToolFailure,
  type ToolOutcome,
} from "@/lib/runtime/tools/tool";
import type { MemoryPort } from "@/lib/runtime/tools/tool-ports";

const argsSchema = z.object({
  action: z.enum(["save", "update", "delete", "list"]),
  text: z.string().optional(),
  memory_id: z.string().optional(),
  search: z.string().optional(),
});

/** Keeps notes across conversations. */
export function createMemoryTool(memory: MemoryPort): RuntimeTool {
  return {
    name: MEMORY_TOOL_NAME,
    description:
      "Keep notes for later conversations. `save` a short statement in `text`; `update` the note `memory_id` to `text`; `delete` the note `memory_id`; `list` the notes, those that hold `search` where it is given.",
    kind: "internal",
    inputSchema: {
      type: "object",
      properties: {
        action: { type: "string", enum: ["save", "update", "delete", "list"] },
        text: { type: "string", minLength: 1, maxLength: MEMORY_TEXT_MAX_CHARACTERS },
        memory_id: {
          type: "string",
          maxLength: 64,
          description: "A note's id, as it stands in brackets before it.",
        },
        search: { type: "string", minLength: 1, maxLength: 200 },
      },
      required: ["action"],
      additionalProperties: false,
    },
    execute: (args, context) => act(argsSchema.parse(args), memory, context),
  };
}

async function act(
  args: z.infer<typeof argsSchema>,
  memory: MemoryPort,
  { toolCallId }: ToolContext,
): Promise<ToolOutcome> {
  switch (args.action) {
    case "save": {
      const { id } = await memory.save(requireText(args), toolCallId);
      return { succeeded: true, output: { memory_id: id } };
    }
    case "update":
      return found(await memory.update(requireId(args), requireText(args)));
    case "delete":
      return found(await memory.remove(requireId(args)));
    case "list": {
      const notes = await memory.list(args.search ?? null);
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
