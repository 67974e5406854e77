import "server-only";
import { z } from "zod";
import { operation, toList } from "@/lib/api/http/operation";
import { examplePage, idField, listOf, listQuery } from "@/lib/api/schemas/fields";
import { wireOf } from "@/lib/api/schemas/noun-wire";
import {
  agentMetadataSchema,
  EXAMPLE_AGENT_METADATA,
  toAgentMetadata,
} from "@/lib/api/v1/agents/agent-schemas";
import { assignAgent } from "@/lib/domain/workspaces/assign-agent";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { deleteWorkspace } from "@/lib/domain/workspaces/delete-workspace";
import { listWorkspaceAgents } from "@/lib/domain/workspaces/list-workspace-agents";
import { listWorkspaces } from "@/lib/domain/workspaces/list-workspaces";
import { unassignAgent } from "@/lib/domain/workspaces/unassign-agent";
import { updateWorkspace } from "@/lib/domain/workspaces/update-workspace";
import { requireWorkspace } from "@/lib/domain/workspaces/workspace-record";
import { WORKSPACE_FIELDS } from "@/lib/model/workspace/workspace-fields";

const WIRE = wireOf(WORKSPACE_FIELDS);
const workspaceSchema = z.object(WIRE.shown).meta({ id: "Workspace" });

const createWorkspaceOperation = operation({
  method: "POST",
  path: "/v1/workspaces",
  operationId: "createWorkspace",
  tag: "Workspaces",
  summary: "Create a workspace",
  description: "A workspace holds files that runs can read and write.",
  hourlyWrite: true,
  body: z.strictObject(WIRE.given).meta({ id: "CreateWorkspaceRequest" }),
  examples: { workspace: { name: "Sales", description: "Tables of the sales team." } },
  creates: ["workspaces"],
  responses: [
    {
      status: 201,
      description: "The workspace.",
      schema: workspaceSchema,
      headers: ["Location"],
      examples: { workspace: WIRE.example },
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, body }) {
    const workspace = await createWorkspace(principal, WIRE.fromBody(body));
    return {
      status: 201,
      body: WIRE.toWire(workspace),
      headers: { Location: `/v1/workspaces/${workspace.id}` },
    };
  },
});

const listWorkspacesOperation = operation({
  method: "GET",
  path: "/v1/workspaces",
  operationId: "listWorkspaces",
  tag: "Workspaces",
  summary: "List workspaces",
  description: "The account's workspaces, newest first.",
  query: z.object(listQuery),
  responses: [
    {
      status: 200,
      description: "A page of workspaces.",
      schema: listOf(workspaceSchema),
      examples: examplePage(WIRE.example),
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    return { status: 200, body: toList(await listWorkspaces(principal, query), WIRE.toWire) };
  },
});

const getWorkspaceOperation = operation({
  method: "GET",
  path: "/v1/workspaces/{workspace_id}",
  operationId: "getWorkspace",
  tag: "Workspaces",
  summary: "Fetch a workspace",
  description: "One workspace of the account.",
  params: z.object({ workspace_id: idField }),
  responses: [
    {
      status: 200,
      description: "The workspace.",
      schema: workspaceSchema,
      examples: { workspace: WIRE.example },
    },
  ],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND"],
  async handle({ principal, params }) {
    return {
      status: 200,
      body: WIRE.toWire(await requireWorkspace(principal, params.workspace_id)),
    };
  },
});

const updateWorkspaceOperation = operation({
  method: "PATCH",
  path: "/v1/workspaces/{workspace_id}",
  operationId: "updateWorkspace",
  tag: "Workspaces",
  summary: "Change a workspace",
  description: "Replaces the fields that are given.",
  hourlyWrite: true,
  params: z.object({ workspace_id: idField }),
  body: z.strictObject(WIRE.changes).meta({ id: "UpdateWorkspaceRequest" }),
  examples: { rename: { name: "Sales" } },
  responses: [
    {
      status: 200,
      description: "The workspace.",
      schema: workspaceSchema,
      examples: { workspace: WIRE.example },
    },
  ],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND"],
  async handle({ principal, params, body }) {
    return {
      status: 200,
      body: WIRE.toWire(
        await updateWorkspace(principal, params.workspace_id, WIRE.fromChanges(body)),
      ),
    };
  },
});

const deleteWorkspaceOperation = operation({
  method: "DELETE",
  path: "/v1/workspaces/{workspace_id}",
  operationId: "deleteWorkspace",
  tag: "Workspaces",
  summary: "Delete a workspace",
  description: "Deletes the workspace with its files. Runs that used it stay.",
  hourlyWrite: true,
  params: z.object({ workspace_id: idField }),
  responses: [{ status: 204, description: "Deleted." }],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND"],
  async handle({ principal, params }) {
    await deleteWorkspace(principal, params.workspace_id);
    return { status: 204 };
  },
});

const assignAgentOperation = operation({
  method: "PUT",
  path: "/v1/workspaces/{workspace_id}/agents/{agent_id}",
  operationId: "assignWorkspaceAgent",
  tag: "Workspaces",
  summary: "Add an agent to a workspace",
  description:
    "A workspace with agents may be used by runs of these agents only. Adding an agent again " +
    "changes nothing.",
  hourlyWrite: true,
  params: z.object({ workspace_id: idField, agent_id: idField }),
  responses: [{ status: 204, description: "The agent is one of the workspace's agents." }],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND", "AGENT_NOT_FOUND"],
  async handle({ principal, params }) {
    await assignAgent(principal, params.workspace_id, params.agent_id);
    return { status: 204 };
  },
});

const unassignAgentOperation = operation({
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

const listWorkspaceAgentsOperation = operation({
  method: "GET",
  path: "/v1/workspaces/{workspace_id}/agents",
  operationId: "listWorkspaceAgents",
  tag: "Workspaces",
  summary: "List a workspace's agents",
  description: "The agents that may use the workspace; none listed means all.",
  params: z.object({ workspace_id: idField }),
  query: z.object(listQuery),
  responses: [
    {
      status: 200,
      description: "A page of agents.",
      schema: listOf(agentMetadataSchema),
      examples: examplePage(EXAMPLE_AGENT_METADATA),
    },
  ],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND"],
  async handle({ principal, params, query }) {
    return {
      status: 200,
      body: toList(
        await listWorkspaceAgents(principal, params.workspace_id, query),
        toAgentMetadata,
      ),
    };
  },
});

export const WORKSPACE_OPERATIONS = [
  createWorkspaceOperation,
  listWorkspacesOperation,
  getWorkspaceOperation,
  updateWorkspaceOperation,
  deleteWorkspaceOperation,
  assignAgentOperation,
  unassignAgentOperation,
  listWorkspaceAgentsOperation,
];
