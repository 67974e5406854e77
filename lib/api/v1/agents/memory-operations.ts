import "server-only";
import { z } from "zod";
import { type Operation, operation, toList } from "@/lib/api/http/operation";
import {
  EXAMPLE_IDS,
  examplePage,
  idField,
  listOf,
  listQuery,
  timeField,
} from "@/lib/api/schemas/fields";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { deleteMemory } from "@/lib/domain/memories/delete-memory";
import { listMemories } from "@/lib/domain/memories/list-memories";
import { getMemory, type MemoryView } from "@/lib/domain/memories/memory-view";
import { updateMemory } from "@/lib/domain/memories/update-memory";
import { MEMORY_TEXT_MAX_CHARACTERS, METADATA_VALUE_MAX_CHARACTERS } from "@/lib/model/limits";
import { textOf } from "@/lib/model/text-of";

const memorySchema = z
  .object({
    memory_id: idField,
    agent_id: idField,
    end_user: z.string().nullable().meta({
      description: "`metadata.end_user` of the run that noted it; null: the run named nobody.",
    }),
    text: z.string(),
    run_id: idField.meta({ description: "The run that noted it, which may be deleted by now." }),
    created_at: timeField,
    updated_at: timeField,
  })
  .meta({
    id: "Memory",
    description:
      "A note that an agent keeps across conversations. `tools.memory` of its config " +
      "switches them on.",
  });

function toMemory(memory: MemoryView) {
  return {
    memory_id: memory.id,
    agent_id: memory.agentId,
    end_user: memory.endUser,
    text: memory.text,
    run_id: memory.runId,
    created_at: memory.createdAt.toISOString(),
    updated_at: memory.updatedAt.toISOString(),
  };
}

const COLLECTION = "/v1/agents/{agent_id}/memories";
const ITEM = `${COLLECTION}/{memory_id}`;
const itemParams = z.object({ agent_id: idField, memory_id: idField });

const EXAMPLE_MEMORY: z.output<typeof memorySchema> = {
  memory_id: EXAMPLE_IDS.memory_id,
  agent_id: EXAMPLE_IDS.agent_id,
  end_user: "u_42",
  text: "Prefers reports in German, with figures rounded to thousands.",
  run_id: EXAMPLE_IDS.run_id,
  created_at: "2026-01-31T09:30:03.000Z",
  updated_at: "2026-01-31T09:30:03.000Z",
};

const listMemoriesOperation = operation({
  method: "GET",
  path: COLLECTION,
  operationId: "listMemories",
  tag: "Memories",
  summary: "List an agent's memories",
  description: "What the agent has noted across conversations, newest first.",
  params: z.object({ agent_id: idField }),
  query: z.object({
    ...listQuery,
    end_user: z
      .string()
      .max(METADATA_VALUE_MAX_CHARACTERS)
      .optional()
      .meta({
        description: "Only notes about this end-user; empty: about none.",
        examples: ["u_42"],
      }),
  }),
  responses: [
    {
      status: 200,
      description: "A page of notes.",
      schema: listOf(memorySchema),
      examples: examplePage(EXAMPLE_MEMORY),
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params, query: { end_user, ...page } }) {
    return {
      status: 200,
      body: toList(
        await listMemories(principal, params.agent_id, { ...page, endUser: end_user ?? null }),
        toMemory,
      ),
    };
  },
});

const getMemoryOperation = operation({
  method: "GET",
  path: ITEM,
  operationId: "getMemory",
  tag: "Memories",
  summary: "Fetch a memory",
  description: "One note.",
  params: itemParams,
  responses: [
    {
      status: 200,
      description: "The note.",
      schema: memorySchema,
      examples: { memory: EXAMPLE_MEMORY },
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "MEMORY_NOT_FOUND"],
  async handle({ principal, params }) {
    await requireAgent(principal, params.agent_id);
    return {
      status: 200,
      body: toMemory(await getMemory(principal, params.agent_id, params.memory_id)),
    };
  },
});

const updateMemoryOperation = operation({
  method: "PATCH",
  path: ITEM,
  operationId: "updateMemory",
  tag: "Memories",
  summary: "Change a memory",
  description: "Replaces the note's text: the agent's next runs go by it.",
  hourlyWrite: true,
  params: itemParams,
  body: z
    .strictObject({
      text: textOf(MEMORY_TEXT_MAX_CHARACTERS, { min: 1 }).meta({
        description: "The note.",
        example: "Prefers reports in French.",
      }),
    })
    .meta({ id: "UpdateMemoryRequest" }),
  examples: { text: { text: "Prefers reports in French." } },
  responses: [
    {
      status: 200,
      description: "The note.",
      schema: memorySchema,
      examples: { memory: EXAMPLE_MEMORY },
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "MEMORY_NOT_FOUND"],
  async handle({ principal, params, body }) {
    return {
      status: 200,
      body: toMemory(await updateMemory(principal, params.agent_id, params.memory_id, body.text)),
    };
  },
});

const deleteMemoryOperation = operation({
  method: "DELETE",
  path: ITEM,
  operationId: "deleteMemory",
  tag: "Memories",
  summary: "Delete a memory",
  description: "Has the agent forget the note. Runs that are at work may have read it.",
  hourlyWrite: true,
  params: itemParams,
  responses: [{ status: 204, description: "Deleted." }],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "MEMORY_NOT_FOUND"],
  async handle({ principal, params }) {
    await deleteMemory(principal, params.agent_id, params.memory_id);
    return { status: 204 };
  },
});

export const MEMORY_OPERATIONS: Operation[] = [
  listMemoriesOperation,
  getMemoryOperation,
  updateMemoryOperation,
  deleteMemoryOperation,
];
