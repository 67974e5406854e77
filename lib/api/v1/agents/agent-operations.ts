import "server-only";
import { z } from "zod";
import { operation, toList } from "@/lib/api/http/operation";
import { readYaml } from "@/lib/api/http/read-body";
import { ifMatch } from "@/lib/api/http/request";
import { examplePage, idField, listOf, listQuery, webhookUrlField } from "@/lib/api/schemas/fields";
import { EXAMPLE_CREATION_RUN } from "@/lib/api/schemas/run-examples";
import {
  acceptedReply,
  builderModelField,
  idempotency,
  runSchema,
  sentenceField,
  toRun,
} from "@/lib/api/schemas/run-schemas";
import {
  agentETag,
  agentMetadataSchema,
  agentPatchFields,
  agentReply,
  agentSchema,
  EXAMPLE_AGENT,
  EXAMPLE_AGENT_DOCUMENT,
  EXAMPLE_AGENT_METADATA,
  toAgent,
  toAgentChange,
  toAgentMetadata,
} from "@/lib/api/v1/agents/agent-schemas";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { archiveAgent } from "@/lib/domain/agents/archive-agent";
import { duplicateAgent } from "@/lib/domain/agents/duplicate-agent";
import { exportAgent } from "@/lib/domain/agents/export-agent";
import { importAgent } from "@/lib/domain/agents/import-agent";
import { listAgents } from "@/lib/domain/agents/list-agents";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import { requestAgentCreation } from "@/lib/domain/builds/request-agent-creation";
import {
  AGENT_DOCUMENT_MAX_BYTES,
  agentDocumentSchema,
} from "@/lib/model/agent-document/agent-document";
import { textOf } from "@/lib/model/text-of";

const startAgentCreation = operation({
  method: "POST",
  path: "/v1/agents",
  operationId: "createAgent",
  tag: "Agents",
  summary: "Create an agent from plain language",
  description:
    "Starts an asynchronous creation run. The agent is built, validated and stored by the " +
    "run; the completed run carries its id.",
  hourlyWrite: true,
  idempotent: true,
  body: z
    .strictObject({
      input: sentenceField,
      conversation_id: idField.optional(),
      webhook_url: webhookUrlField.optional(),
      builder_model: builderModelField.optional(),
    })
    .meta({ id: "CreateAgentRequest" }),
  examples: {
    sentence: {
      input:
        "An agent that answers questions about a table of sales in its workspace, with " +
        "figures, and names the file they are from.",
      webhook_url: "https://example.com/hooks/agents",
    },
  },
  creates: ["agents", "conversations"],
  responses: [
    {
      status: 202,
      description: "The creation run, pending.",
      schema: runSchema,
      headers: ["Location"],
      examples: { accepted: EXAMPLE_CREATION_RUN },
    },
  ],
  errors: [
    "INVALID_INPUT",
    "CONVERSATION_NOT_FOUND",
    "IDEMPOTENCY_CONFLICT",
    "ACCOUNT_BLOCKED",
    "CONVERSATION_BUSY",
    "INSUFFICIENT_CREDITS",
    "SERVICE_UNAVAILABLE",
  ],
  async handle(call) {
    const answer = (run: Parameters<typeof toRun>[0]) => toRun(run, call.baseUrl);
    const accepted = await requestAgentCreation(
      call.principal,
      {
        text: call.body.input,
        conversationId: call.body.conversation_id ?? null,
        webhookUrl: call.body.webhook_url ?? null,
        builderModel: call.body.builder_model ?? null,
      },
      idempotency(call, "createAgent", answer),
    );
    return acceptedReply(accepted, answer);
  },
});

const listAgentsOperation = operation({
  method: "GET",
  path: "/v1/agents",
  operationId: "listAgents",
  tag: "Agents",
  summary: "List agents",
  description: "The account's agents, newest first, as metadata only.",
  query: z.object({
    ...listQuery,
    status: z
      .enum(["active", "archived"])
      .default("active")
      .meta({ description: "Which agents: those in use, or the archived ones." }),
    q: textOf(255)
      .optional()
      .meta({ description: "Looks into name and description.", examples: ["sales"] }),
  }),
  responses: [
    {
      status: 200,
      description: "A page of agents.",
      schema: listOf(agentMetadataSchema),
      examples: examplePage(EXAMPLE_AGENT_METADATA),
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    const page = await listAgents(principal, { ...query, search: query.q || null });
    return { status: 200, body: toList(page, toAgentMetadata) };
  },
});

const getAgentOperation = operation({
  method: "GET",
  path: "/v1/agents/{agent_id}",
  operationId: "getAgent",
  tag: "Agents",
  summary: "Fetch an agent",
  description:
    "The full record with skill, config and dashboard. An archived agent is fetched too.",
  params: z.object({ agent_id: idField }),
  responses: [
    {
      status: 200,
      description: "The agent.",
      schema: agentSchema,
      headers: ["ETag"],
      examples: { agent: EXAMPLE_AGENT },
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params }) {
    const agent = await requireAgent(principal, params.agent_id);
    return { status: 200, body: toAgent(agent), headers: { ETag: agentETag(agent) } };
  },
});

const updateAgentOperation = operation({
  method: "PATCH",
  path: "/v1/agents/{agent_id}",
  operationId: "updateAgent",
  tag: "Agents",
  summary: "Change an agent",
  description:
    "Replaces the fields that are given and keeps the outcome as a new version. `config` and " +
    "`config_content` always say the same: changing one rewrites the other. A change of " +
    "nothing answers 200 and stores no version; it still counts as a write.",
  hourlyWrite: true,
  requestHeaders: ["If-Match"],
  params: z.object({ agent_id: idField }),
  body: z.strictObject(agentPatchFields).meta({ id: "UpdateAgentRequest" }),
  examples: {
    fields: {
      description: "Answers questions about sales.",
      write_autonomy: "approval_required",
      release_note: "Says less.",
    },
    config: { config_content: "version: 1\nlimits:\n  max_steps: 12 # a table needs no more\n" },
  },
  creates: ["versions"],
  responses: [
    {
      status: 200,
      description: "The agent as it is now.",
      schema: agentSchema,
      headers: ["ETag"],
      examples: { agent: EXAMPLE_AGENT },
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "CONFLICT", "VERSION_CONFLICT"],
  async handle({ principal, params, body, request }) {
    const change = { ...toAgentChange(body), releaseNote: body.release_note };
    const header = request.headers.get("if-match");
    return agentReply(
      await updateAgent(principal, params.agent_id, change, (agent) =>
        ifMatch(header, agentETag(agent)),
      ),
      200,
    );
  },
});

const archiveAgentOperation = operation({
  method: "DELETE",
  path: "/v1/agents/{agent_id}",
  operationId: "archiveAgent",
  tag: "Agents",
  summary: "Archive an agent",
  description:
    "The agent leaves the default list and can still be fetched by its id; its runs stay " +
    "readable. It can no longer be run, edited or changed, and its app keys are revoked. " +
    "Again: 204.",
  hourlyWrite: true,
  params: z.object({ agent_id: idField }),
  responses: [{ status: 204, description: "The agent is archived." }],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params }) {
    await archiveAgent(principal, params.agent_id);
    return { status: 204 };
  },
});

const duplicateAgentOperation = operation({
  method: "POST",
  path: "/v1/agents/{agent_id}/duplicate",
  operationId: "duplicateAgent",
  tag: "Agents",
  summary: "Copy an agent",
  description:
    "A new, active agent with the same skill, config, dashboard, write autonomy and cases, " +
    "named after the original with ` (copy)`, at version 1.0.0 with a history of its own. It " +
    "asks no more for the tools that the original asks no more for, as long as they are " +
    "defined alike. An archived agent can be copied too.",
  hourlyWrite: true,
  params: z.object({ agent_id: idField }),
  body: z.strictObject({}).meta({ id: "DuplicateAgentRequest" }),
  bodyOptional: true,
  examples: { empty: {} },
  creates: ["agents"],
  responses: [
    {
      status: 201,
      description: "The copy.",
      schema: agentSchema,
      headers: ["Location", "ETag"],
      examples: { agent: EXAMPLE_AGENT },
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params }) {
    return agentReply(await duplicateAgent(principal, params.agent_id), 201);
  },
});

const exportAgentOperation = operation({
  method: "GET",
  path: "/v1/agents/{agent_id}/export",
  operationId: "exportAgent",
  tag: "Agents",
  summary: "Export an agent",
  description:
    "The agent as one YAML document, with the comments of its config and its cases; `POST " +
    "/v1/agents/import` takes it, here or elsewhere. Remembered approvals are not in it.",
  params: z.object({ agent_id: idField }),
  responses: [
    {
      status: 200,
      description: "The document.",
      schema: agentDocumentSchema,
      contentType: "application/yaml",
      headers: ["Content-Disposition"],
      examples: { document: EXAMPLE_AGENT_DOCUMENT },
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params }) {
    const { name, text } = await exportAgent(principal, params.agent_id);
    const headers = {
      "content-type": "application/yaml",
      "content-length": String(Buffer.byteLength(text)),
      "content-disposition": `attachment; filename="${toFileName(name)}.agent.yaml"`,
    };
    return new Response(text, { status: 200, headers });
  },
});

/**
 * Letters and digits of ASCII only: nothing that a header or a file system reads as more than a
 * name.
 */
function toFileName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return plain.replace(/^-|-$/g, "").slice(0, 64) || "agent";
}

const importAgentOperation = operation({
  method: "POST",
  path: "/v1/agents/import",
  operationId: "importAgent",
  tag: "Agents",
  summary: "Import an agent",
  description:
    "Stores the agent of an exported document as a new one with its cases, without a run. " +
    "`kind`, `format`, `name` and `skill_content` are required; without `write_autonomy` the " +
    "agent asks before it writes. Anchors, aliases and tags are refused; errors say line and " +
    "column.",
  hourlyWrite: true,
  rawBody: {
    "application/yaml": {
      description: "One agent document as YAML 1.2, at most 4 MiB.",
      schema: agentDocumentSchema,
      examples: { document: EXAMPLE_AGENT_DOCUMENT },
    },
  },
  creates: ["agents"],
  responses: [
    {
      status: 201,
      description: "The agent.",
      schema: agentSchema,
      headers: ["Location", "ETag"],
      examples: { agent: EXAMPLE_AGENT },
    },
  ],
  errors: ["INVALID_INPUT", "PAYLOAD_TOO_LARGE"],
  async handle({ principal, request }) {
    return agentReply(
      await importAgent(principal, await readYaml(request, AGENT_DOCUMENT_MAX_BYTES)),
      201,
    );
  },
});

export const AGENT_OPERATIONS = [
  startAgentCreation,
  listAgentsOperation,
  getAgentOperation,
  updateAgentOperation,
  archiveAgentOperation,
  duplicateAgentOperation,
  exportAgentOperation,
  importAgentOperation,
];
