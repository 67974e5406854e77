import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { idField } from "@/lib/api/v1/schemas/fields";
import { assignAgent } from "@/lib/domain/workspaces/assign-agent";

export const assignAgentOperation = operation({
  method: "PUT",
  path: "/v1/workspaces/{workspace_id}/agents/{agent_id}",
  operationId: "assignWorkspaceAgent",
  tag: "Workspaces",
  summary: "Add an agent to a workspace",
  description: "A workspace with agents may be used by runs of these agents only. Adding an agent again changes nothing.",
  hourlyWrite: true,
  params: z.object({ workspace_id: idField, agent_id: idField }),
  responses: [{ status: 204, description: "The agent is one of the workspace's agents." }],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND", "AGENT_NOT_FOUND"],
  async handle({ principal, params }) {
    await assignAgent(principal, params.workspace_id, params.agent_id);
    return { status: 204 };
  },
});
