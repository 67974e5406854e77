import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { EXAMPLE_WORKSPACE } from "@/lib/api/v1/workspaces/workspace-examples";
import { descriptionField, nameField, toWorkspace, workspaceSchema } from "@/lib/api/v1/workspaces/workspace-schema";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";

export const createWorkspaceOperation = operation({
  method: "POST",
  path: "/v1/workspaces",
  operationId: "createWorkspace",
  tag: "Workspaces",
  summary: "Create a workspace",
  description: "A workspace holds files that runs can read and write.",
  hourlyWrite: true,
  body: z.strictObject({ name: nameField, description: descriptionField.optional() }).meta({ id: "CreateWorkspaceRequest" }),
  examples: { workspace: { name: "Sales", description: "Tables of the sales team." } },
  creates: ["workspaces"],
  responses: [
    {
      status: 201,
      description: "The workspace.",
      schema: workspaceSchema,
      headers: ["Location"],
      examples: { workspace: EXAMPLE_WORKSPACE },
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, body }) {
    const workspace = await createWorkspace(principal, { name: body.name, description: body.description ?? null });
    return { status: 201, body: toWorkspace(workspace), headers: { Location: `/v1/workspaces/${workspace.id}` } };
  },
});
