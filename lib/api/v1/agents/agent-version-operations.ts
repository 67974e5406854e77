import "server-only";
import { z } from "zod";
import { operation, toList } from "@/lib/api/http/operation";
import { examplePage, idField, listOf, listQuery } from "@/lib/api/schemas/fields";
import {
  agentReply,
  agentSchema,
  agentVersionMetadataSchema,
  agentVersionSchema,
  EXAMPLE_AGENT,
  EXAMPLE_VERSION,
  EXAMPLE_VERSION_METADATA,
  releaseNoteField,
  toAgentVersion,
  toAgentVersionMetadata,
} from "@/lib/api/v1/agents/agent-schemas";
import { getAgentVersion } from "@/lib/domain/agents/get-agent-version";
import { listAgentVersions } from "@/lib/domain/agents/list-agent-versions";
import { restoreAgentVersion } from "@/lib/domain/agents/restore-agent-version";

const VERSIONS = "/v1/agents/{agent_id}/versions";
const versionParams = z.object({ agent_id: idField, version_id: idField });

const listAgentVersionsOperation = operation({
  method: "GET",
  path: VERSIONS,
  operationId: "listAgentVersions",
  tag: "Agents",
  summary: "List an agent's versions",
  description: "Newest first, without their texts. Every change that was stored is one.",
  params: z.object({ agent_id: idField }),
  query: z.object(listQuery),
  responses: [
    {
      status: 200,
      description: "A page of versions.",
      schema: listOf(agentVersionMetadataSchema),
      examples: examplePage(EXAMPLE_VERSION_METADATA),
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params, query }) {
    return {
      status: 200,
      body: toList(
        await listAgentVersions(principal, params.agent_id, query),
        toAgentVersionMetadata,
      ),
    };
  },
});

const getAgentVersionOperation = operation({
  method: "GET",
  path: `${VERSIONS}/{version_id}`,
  operationId: "getAgentVersion",
  tag: "Agents",
  summary: "Fetch a version",
  description: "The agent as it was, whole.",
  params: versionParams,
  responses: [
    {
      status: 200,
      description: "The version.",
      schema: agentVersionSchema,
      examples: { version: EXAMPLE_VERSION },
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "VERSION_NOT_FOUND"],
  async handle({ principal, params }) {
    return {
      status: 200,
      body: toAgentVersion(await getAgentVersion(principal, params.agent_id, params.version_id)),
    };
  },
});

const restoreAgentVersionOperation = operation({
  method: "POST",
  path: `${VERSIONS}/{version_id}/restore`,
  operationId: "restoreAgentVersion",
  tag: "Agents",
  summary: "Restore a version",
  description:
    "Makes the agent read as it did in that version, `version` included, and keeps that as a " +
    "new version. Nothing leaves the history.",
  hourlyWrite: true,
  params: versionParams,
  body: z
    .strictObject({ release_note: releaseNoteField.optional() })
    .meta({ id: "RestoreAgentVersionRequest" }),
  bodyOptional: true,
  examples: { noted: { release_note: "Back to what worked." } },
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
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "VERSION_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }) {
    return agentReply(
      await restoreAgentVersion(
        principal,
        params.agent_id,
        params.version_id,
        body.release_note ?? null,
      ),
      200,
    );
  },
});

export const AGENT_VERSION_OPERATIONS = [
  listAgentVersionsOperation,
  getAgentVersionOperation,
  restoreAgentVersionOperation,
];
