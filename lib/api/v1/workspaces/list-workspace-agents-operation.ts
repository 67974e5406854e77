import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { toList } from "@/lib/api/http/to-list";
import { EXAMPLE_AGENT_METADATA } from "@/lib/api/v1/agents/agent-examples";
import { toAgentMetadata } from "@/lib/api/v1/agents/to-agent";
import { agentMetadataSchema } from "@/lib/api/v1/schemas/agent-schemas";
import { examplePage } from "@/lib/api/v1/schemas/example-page";
import { idField, listOf, listQuery } from "@/lib/api/v1/schemas/fields";
import { listWorkspaceAgents } from "@/lib/domain/workspaces/list-workspace-agents";

export const listWorkspaceAgentsOperation = operation({
  method: "GET",
  path: "/v1/workspaces/{workspace_id}/agents",
  operationId: "listWorkspaceAgents",
  tag: "Workspaces",
  summary: "List a workspace's agents",
  description: "The agents that may use the workspace; none listed means all.",
  params: z.object({ workspace_id: idField }),
  query: z.object(listQuery),
  responses: [
    { status: 200, description: "A page of agents.", schema: listOf(agentMetadataSchema), examples: examplePage(EXAMPLE_AGENT_METADATA) },
  ],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND"],
  async handle({ principal, params, query }) {
    return { status: 200, body: toList(await listWorkspaceAgents(principal, params.workspace_id, query), toAgentMetadata) };
  },
});
