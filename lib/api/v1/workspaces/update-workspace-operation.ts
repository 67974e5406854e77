import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { idField } from "@/lib/api/v1/schemas/fields";
import { EXAMPLE_WORKSPACE } from "@/lib/api/v1/workspaces/workspace-examples";
import { descriptionField, nameField, toWorkspace, workspaceSchema } from "@/lib/api/v1/workspaces/workspace-schema";
import { updateWorkspace } from "@/lib/domain/workspaces/update-workspace";

export const updateWorkspaceOperation = operation({
  method: "PATCH",
  path: "/v1/workspaces/{workspace_id}",
  operationId: "updateWorkspace",
  tag: "Workspaces",
  summary: "Change a workspace",
  description: "Replaces the fields that are given.",
  hourlyWrite: true,
  params: z.object({ workspace_id: idField }),
  body: z.strictObject({ name: nameField.optional(), description: descriptionField.optional() }).meta({ id: "UpdateWorkspaceRequest" }),
  examples: { rename: { name: "Sales" } },
  responses: [{ status: 200, description: "The workspace.", schema: workspaceSchema, examples: { workspace: EXAMPLE_WORKSPACE } }],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND"],
  async handle({ principal, params, body }) {
    return { status: 200, body: toWorkspace(await updateWorkspace(principal, params.workspace_id, body)) };
  },
});
