import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { idField } from "@/lib/api/v1/schemas/fields";
import { archiveAgent } from "@/lib/domain/agents/archive-agent";

export const archiveAgentOperation = operation({
  method: "DELETE",
  path: "/v1/agents/{agent_id}",
  operationId: "archiveAgent",
  tag: "Agents",
  summary: "Archive an agent",
  description:
    "The agent leaves the default list and can still be fetched by its id; its runs stay readable. It can no longer be run, edited or changed, and its app keys are revoked. Again: 204.",
  hourlyWrite: true,
  params: z.object({ agent_id: idField }),
  responses: [{ status: 204, description: "The agent is archived." }],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params }) {
    await archiveAgent(principal, params.agent_id);
    return { status: 204 };
  },
});
