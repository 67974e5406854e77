import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { idField } from "@/lib/api/v1/schemas/fields";
import { deleteWorkspace } from "@/lib/domain/workspaces/delete-workspace";

export const deleteWorkspaceOperation = operation({
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
