import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { idField } from "@/lib/api/v1/schemas/fields";
import { EXAMPLE_WORKSPACE } from "@/lib/api/v1/workspaces/workspace-examples";
import { toWorkspace, workspaceSchema } from "@/lib/api/v1/workspaces/workspace-schema";
import { requireWorkspace } from "@/lib/domain/workspaces/require-workspace";

export const getWorkspaceOperation = operation({
  method: "GET",
  path: "/v1/workspaces/{workspace_id}",
  operationId: "getWorkspace",
  tag: "Workspaces",
  summary: "Fetch a workspace",
  description: "One workspace of the account.",
  params: z.object({ workspace_id: idField }),
  responses: [{ status: 200, description: "The workspace.", schema: workspaceSchema, examples: { workspace: EXAMPLE_WORKSPACE } }],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND"],
  async handle({ principal, params }) {
    return { status: 200, body: toWorkspace(await requireWorkspace(principal, params.workspace_id)) };
  },
});
