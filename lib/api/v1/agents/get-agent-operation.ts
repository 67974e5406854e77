import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { EXAMPLE_AGENT } from "@/lib/api/v1/agents/agent-examples";
import { agentETag, toAgent } from "@/lib/api/v1/agents/to-agent";
import { agentSchema } from "@/lib/api/v1/schemas/agent-schemas";
import { idField } from "@/lib/api/v1/schemas/fields";
import { requireAgent } from "@/lib/domain/agents/require-agent";

export const getAgentOperation = operation({
  method: "GET",
  path: "/v1/agents/{agent_id}",
  operationId: "getAgent",
  tag: "Agents",
  summary: "Fetch an agent",
  description: "The full record with skill, config and dashboard. An archived agent is fetched too.",
  params: z.object({ agent_id: idField }),
  responses: [{ status: 200, description: "The agent.", schema: agentSchema, headers: ["ETag"], examples: { agent: EXAMPLE_AGENT } }],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params }) {
    const agent = await requireAgent(principal, params.agent_id);
    return { status: 200, body: toAgent(agent), headers: { ETag: agentETag(agent) } };
  },
});
