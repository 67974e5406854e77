import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { EXAMPLE_AGENT } from "@/lib/api/v1/agents/agent-examples";
import { agentReply } from "@/lib/api/v1/agents/agent-reply";
import { agentSchema } from "@/lib/api/v1/schemas/agent-schemas";
import { idField } from "@/lib/api/v1/schemas/fields";
import { duplicateAgent } from "@/lib/domain/agents/duplicate-agent";

export const duplicateAgentOperation = operation({
  method: "POST",
  path: "/v1/agents/{agent_id}/duplicate",
  operationId: "duplicateAgent",
  tag: "Agents",
  summary: "Copy an agent",
  description:
    "A new, active agent with the same skill, config, dashboard and write autonomy, named after the original with ` (copy)`, at version 1.0.0 with a history of its own. An archived agent can be copied too.",
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
