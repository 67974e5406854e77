import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { toList } from "@/lib/api/http/to-list";
import { examplePage } from "@/lib/api/v1/schemas/example-page";
import { listOf, listQuery } from "@/lib/api/v1/schemas/fields";
import { EXAMPLE_WORKSPACE } from "@/lib/api/v1/workspaces/workspace-examples";
import { toWorkspace, workspaceSchema } from "@/lib/api/v1/workspaces/workspace-schema";
import { listWorkspaces } from "@/lib/domain/workspaces/list-workspaces";

export const listWorkspacesOperation = operation({
  method: "GET",
  path: "/v1/workspaces",
  operationId: "listWorkspaces",
  tag: "Workspaces",
  summary: "List workspaces",
  description: "The account's workspaces, newest first.",
  query: z.object(listQuery),
  responses: [
    { status: 200, description: "A page of workspaces.", schema: listOf(workspaceSchema), examples: examplePage(EXAMPLE_WORKSPACE) },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    return { status: 200, body: toList(await listWorkspaces(principal, query), toWorkspace) };
  },
});
