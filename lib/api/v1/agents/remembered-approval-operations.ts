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
import {
  forgetRememberedApproval,
  listRememberedApprovals,
  type RememberedApproval,
} from "@/lib/domain/approvals/remembered-approvals";
import { TOOL_KINDS } from "@/lib/model/approval/approval";

const rememberedSchema = z
  .object({
    remembered_id: idField,
    agent_id: idField,
    tool_name: z.string(),
    tool_kind: z.enum(TOOL_KINDS).nullable().meta({ description: "Where the tool comes from." }),
    definition: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The tool as it was defined when a person said so." }),
    approval_id: idField.meta({
      description: "The approval that said so, which may be deleted by now.",
    }),
    created_at: timeField,
  })
  .meta({
    id: "RememberedApproval",
    description:
      "A tool that the agent calls without asking, as long as it is defined like this: a " +
      "person approved a call of it with `remember`.",
  });

function toRemembered(remembered: RememberedApproval) {
  return {
    remembered_id: remembered.id,
    agent_id: remembered.agentId,
    tool_name: remembered.toolName,
    tool_kind: remembered.shown.tool_kind,
    definition: remembered.shown.definition,
    approval_id: remembered.approvalId,
    created_at: remembered.createdAt.toISOString(),
  };
}

const COLLECTION = "/v1/agents/{agent_id}/remembered-approvals";

const EXAMPLE_REMEMBERED: z.output<typeof rememberedSchema> = {
  remembered_id: EXAMPLE_IDS.remembered_id,
  agent_id: EXAMPLE_IDS.agent_id,
  tool_name: "create_ticket",
  tool_kind: "http",
  definition: {
    name: "create_ticket",
    method: "POST",
    url: "https://api.example.com/tickets",
    auth_secret: "CRM_KEY",
  },
  approval_id: EXAMPLE_IDS.approval_id,
  created_at: "2026-01-31T09:31:00.000Z",
};

const listRememberedOperation = operation({
  method: "GET",
  path: COLLECTION,
  operationId: "listRememberedApprovals",
  tag: "Approvals",
  summary: "List what an agent asks no more about",
  description: "The definitions of tools that were approved with `remember`, newest first.",
  params: z.object({ agent_id: idField }),
  query: z.object(listQuery),
  responses: [
    {
      status: 200,
      description: "A page of remembered approvals.",
      schema: listOf(rememberedSchema),
      examples: examplePage(EXAMPLE_REMEMBERED),
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params, query }) {
    await requireAgent(principal, params.agent_id);
    const page = await listRememberedApprovals(principal, params.agent_id, query);
    return { status: 200, body: toList(page, toRemembered) };
  },
});

const deleteRememberedOperation = operation({
  method: "DELETE",
  path: `${COLLECTION}/{remembered_id}`,
  operationId: "deleteRememberedApproval",
  tag: "Approvals",
  summary: "Have an agent ask again",
  description: "Takes a remembered approval away: the next call of the tool waits for a person.",
  hourlyWrite: true,
  params: z.object({ agent_id: idField, remembered_id: idField }),
  responses: [{ status: 204, description: "The agent asks again." }],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "APPROVAL_NOT_FOUND"],
  async handle({ principal, params }) {
    await requireAgent(principal, params.agent_id);
    await forgetRememberedApproval(principal, params.agent_id, params.remembered_id);
    return { status: 204 };
  },
});

export const REMEMBERED_APPROVAL_OPERATIONS: Operation[] = [
  listRememberedOperation,
  deleteRememberedOperation,
];
