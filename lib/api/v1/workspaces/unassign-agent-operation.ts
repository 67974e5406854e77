import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { idField } from "@/lib/api/v1/schemas/fields";
import { unassignAgent } from "@/lib/domain/workspaces/unassign-agent";

export const unassignAgentOperation = operation({
  method: "DELETE",
  path: "/v1/workspaces/{workspace_id}/agents/{agent_id}",
  operationId: "unassignWorkspaceAgent",
  tag: "Workspaces",
  summary: "Remove an agent from a workspace",
  description: "Removing an agent that is not there changes nothing.",
  hourlyWrite: true,
  params: z.object({ workspace_id: idField, agent_id: idField }),
  responses: [{ status: 204, description: "The agent is not one of the workspace's agents." }],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND", "AGENT_NOT_FOUND"],
  async handle({ principal, params }) {
    await unassignAgent(principal, params.workspace_id, params.agent_id);
    return { status: 204 };
  },
});
