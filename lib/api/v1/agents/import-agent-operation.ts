import "server-only";
import { operation } from "@/lib/api/http/operation";
import { readYaml } from "@/lib/api/http/read-yaml";
import { EXAMPLE_AGENT, EXAMPLE_AGENT_DOCUMENT } from "@/lib/api/v1/agents/agent-examples";
import { agentReply } from "@/lib/api/v1/agents/agent-reply";
import { agentSchema } from "@/lib/api/v1/schemas/agent-schemas";
import { importAgent } from "@/lib/domain/agents/import-agent";
import { agentDocumentSchema } from "@/lib/model/agent-document/agent-document-schema";
import { AGENT_DOCUMENT_MAX_BYTES } from "@/lib/model/agent-document/parse-agent-document";

export const importAgentOperation = operation({
  method: "POST",
  path: "/v1/agents/import",
  operationId: "importAgent",
  tag: "Agents",
  summary: "Import an agent",
  description:
    "Stores the agent of an exported document as a new one, without a run. `kind`, `format`, `name` and `skill_content` are required; without `write_autonomy` the agent asks before it writes. Anchors, aliases and tags are refused; errors say line and column.",
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
    return agentReply(await importAgent(principal, await readYaml(request, AGENT_DOCUMENT_MAX_BYTES)), 201);
  },
});
