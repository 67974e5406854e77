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
import { requireActive, requireAgent } from "@/lib/domain/agents/agent-store";
import {
  type AgentCase,
  addCase,
  deleteCase,
  listCasePage,
} from "@/lib/domain/datasets/agent-cases";
import { CASES_MAX, newCaseSchema } from "@/lib/model/evaluation/cases";
import { checkSchemaOfAnswer } from "@/lib/model/evaluation/checks";

const caseSchema = z
  .object({
    case_id: idField,
    agent_id: idField,
    name: z.string(),
    input: z.record(z.string(), z.unknown()).meta({ description: "The run's input." }),
    answers: z.record(z.string(), z.unknown()).meta({
      description:
        "What the tools that act outside give, by their names. A list answers one call after " +
        "the other.",
    }),
    files: z
      .record(z.string(), z.string())
      .meta({ description: "Small texts among the run's files, by their paths." }),
    checks: z.array(checkSchemaOfAnswer),
    source: z.enum(["builder", "person"]).meta({ description: "Who wrote it." }),
    created_at: timeField,
  })
  .meta({
    id: "AgentCase",
    description:
      "A case of an agent: an input, and what must be so of the answer. Each edit runs an " +
      "agent's cases before and after, and says how they came out. Nothing is sent or " +
      "written by it.",
  });

function toCase(one: AgentCase): z.output<typeof caseSchema> {
  return {
    case_id: one.id,
    agent_id: one.agentId,
    name: one.name,
    input: one.input,
    answers: one.answers,
    files: one.files,
    checks: one.checks,
    source: one.source,
    created_at: one.createdAt.toISOString(),
  };
}

const COLLECTION = "/v1/agents/{agent_id}/cases";

const EXAMPLE_CASE: z.output<typeof caseSchema> = {
  case_id: EXAMPLE_IDS.case_id,
  agent_id: EXAMPLE_IDS.agent_id,
  name: "An order that was sent",
  input: { request: "Where is order 1024?" },
  answers: { get_order: { id: 1024, state: "sent" } },
  files: {},
  checks: [
    { type: "tool_called", tool: "get_order" },
    { type: "contains", value: "1024" },
  ],
  source: "builder",
  created_at: "2026-01-31T09:30:03.000Z",
};
const {
  case_id: _,
  agent_id: _agent,
  source: _source,
  created_at: _at,
  ...EXAMPLE_NEW
} = EXAMPLE_CASE;

const listCasesOperation = operation({
  method: "GET",
  path: COLLECTION,
  operationId: "listAgentCases",
  tag: "Agents",
  summary: "List an agent's cases",
  description:
    "The cases that edits of the agent run, in the order in which they were added: at most " +
    `${CASES_MAX}.`,
  params: z.object({ agent_id: idField }),
  query: z.object(listQuery),
  responses: [
    {
      status: 200,
      description: "The cases.",
      schema: listOf(caseSchema),
      examples: examplePage(EXAMPLE_CASE),
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params, query }) {
    await requireAgent(principal, params.agent_id);
    const page = await listCasePage(principal, params.agent_id, query);
    return { status: 200, body: toList(page, toCase) };
  },
});

const createCaseOperation = operation({
  method: "POST",
  path: COLLECTION,
  operationId: "createAgentCase",
  tag: "Agents",
  summary: "Add a case to an agent",
  description:
    "Adds a case, in place of one of the same name. The agent's builder writes two or three " +
    "by itself.",
  hourlyWrite: true,
  params: z.object({ agent_id: idField }),
  body: newCaseSchema.meta({ id: "CreateAgentCaseRequest" }),
  examples: { order: EXAMPLE_NEW },
  // At most `CASES_MAX` an agent, which the message of a refusal names.
  creates: ["nothing"],
  responses: [
    {
      status: 201,
      description: "The case.",
      schema: caseSchema,
      examples: { case: { ...EXAMPLE_CASE, source: "person" } },
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }) {
    requireActive(await requireAgent(principal, params.agent_id));
    return { status: 201, body: toCase(await addCase(principal, params.agent_id, body)) };
  },
});

const deleteCaseOperation = operation({
  method: "DELETE",
  path: `${COLLECTION}/{case_id}`,
  operationId: "deleteAgentCase",
  tag: "Agents",
  summary: "Delete a case of an agent",
  description: "Edits of the agent run it no more.",
  hourlyWrite: true,
  params: z.object({ agent_id: idField, case_id: idField }),
  responses: [{ status: 204, description: "Deleted." }],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "CASE_NOT_FOUND"],
  async handle({ principal, params }) {
    await requireAgent(principal, params.agent_id);
    await deleteCase(principal, params.agent_id, params.case_id);
    return { status: 204 };
  },
});

export const CASE_OPERATIONS: Operation[] = [
  listCasesOperation,
  createCaseOperation,
  deleteCaseOperation,
];
