import "server-only";
import { z } from "zod";
import { EXAMPLE_APP_RUN } from "@/lib/api/apps/app-run-examples";
import { appRunPageSchema } from "@/lib/api/apps/app-run-schemas";
import { toAppRun } from "@/lib/api/apps/to-app-run";
import { operation } from "@/lib/api/http/operation";
import { runFilterQuery, toRunFilter } from "@/lib/api/v1/runs/run-filter-query";
import { idField } from "@/lib/api/v1/schemas/fields";
import { APP_RUN_KINDS, requireApp } from "@/lib/domain/apps/require-app";
import { listRuns } from "@/lib/domain/runs/list-runs";

const { limit, cursor, status, conversation_id, created_after, created_before, metadata } = runFilterQuery.shape;

export const listAppRunsOperation = operation({
  method: "GET",
  path: "/api/v1/apps/{appId}/runs",
  operationId: "listAppRuns",
  tag: "App-scoped path",
  summary: "List runs",
  description: "The agent's runs that were started on this path, newest first.",
  auth: "app",
  params: z.object({ appId: idField }),
  query: z.object({
    limit,
    cursor,
    status,
    conversationId: conversation_id,
    createdAfter: created_after,
    createdBefore: created_before,
    metadata,
  }),
  responses: [
    {
      status: 200,
      description: "A page of runs.",
      schema: appRunPageSchema,
      examples: { list: { data: [EXAMPLE_APP_RUN], hasMore: false, nextCursor: null } },
    },
  ],
  errors: ["INVALID_INPUT", "APP_NOT_FOUND"],
  async handle({ principal, params, query, baseUrl }) {
    requireApp(principal, params.appId);
    const { conversationId, createdAfter, createdBefore, ...rest } = query;
    const filter = {
      ...rest,
      agent_id: params.appId,
      conversation_id: conversationId,
      created_after: createdAfter,
      created_before: createdBefore,
    };
    const page = await listRuns(principal, query, toRunFilter(filter, APP_RUN_KINDS));
    const data = page.data.map((run) => toAppRun(run, baseUrl));
    return { status: 200, body: { data, hasMore: page.nextCursor !== null, nextCursor: page.nextCursor } };
  },
});
