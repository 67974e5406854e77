import "server-only";
import { z } from "zod";
import { ifMatch } from "@/lib/api/http/if-match";
import { operation } from "@/lib/api/http/operation";
import { EXAMPLE_AGENT } from "@/lib/api/v1/agents/agent-examples";
import { agentPatchFields } from "@/lib/api/v1/agents/agent-fields";
import { agentReply } from "@/lib/api/v1/agents/agent-reply";
import { agentETag } from "@/lib/api/v1/agents/to-agent";
import { agentSchema } from "@/lib/api/v1/schemas/agent-schemas";
import { idField } from "@/lib/api/v1/schemas/fields";
import { updateAgent } from "@/lib/domain/agents/update-agent";

export const updateAgentOperation = operation({
  method: "PATCH",
  path: "/v1/agents/{agent_id}",
  operationId: "updateAgent",
  tag: "Agents",
  summary: "Change an agent",
  description:
    "Replaces the fields that are given and keeps the outcome as a new version. `config` and `config_content` always say the same: changing one rewrites the other. A change of nothing answers 200 and stores no version; it still counts as a write.",
  hourlyWrite: true,
  requestHeaders: ["If-Match"],
  params: z.object({ agent_id: idField }),
  body: z.strictObject(agentPatchFields).partial().meta({ id: "UpdateAgentRequest" }),
  examples: {
    fields: { description: "Answers questions about sales.", write_autonomy: "approval_required", release_note: "Says less." },
    config: { config_content: "version: 1\nlimits:\n  max_steps: 12 # a table needs no more\n" },
  },
  creates: ["versions"],
  responses: [
    { status: 200, description: "The agent as it is now.", schema: agentSchema, headers: ["ETag"], examples: { agent: EXAMPLE_AGENT } },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "CONFLICT", "VERSION_CONFLICT"],
  async handle({ principal, params, body, request }) {
    const change = {
      name: body.name,
      description: body.description,
      version: body.version,
      skillContent: body.skill_content,
      configContent: body.config_content,
      config: body.config,
      dashboardTemplate: body.dashboard_template,
      writeAutonomy: body.write_autonomy,
      releaseNote: body.release_note,
    };
    const header = request.headers.get("if-match");
    return agentReply(await updateAgent(principal, params.agent_id, change, (agent) => ifMatch(header, agentETag(agent))));
  },
});
