import "server-only";
import { z } from "zod";
import { EXAMPLE_APP_RUN } from "@/lib/api/apps/app-run-examples";
import { appRunSchema } from "@/lib/api/apps/app-run-schemas";
import { toAppRun } from "@/lib/api/apps/to-app-run";
import { operation } from "@/lib/api/http/operation";
import { idField } from "@/lib/api/v1/schemas/fields";
import { APP_RUN_KINDS, requireApp } from "@/lib/domain/apps/require-app";
import { getRun } from "@/lib/domain/runs/get-run";

export const getAppRunOperation = operation({
  method: "GET",
  path: "/api/v1/apps/{appId}/runs/{runId}",
  operationId: "getAppRun",
  tag: "App-scoped path",
  summary: "Fetch a run",
  description: "Status, result, usage and error of a run that was started on this path.",
  auth: "app",
  params: z.object({ appId: idField, runId: idField }),
  responses: [{ status: 200, description: "The run.", schema: appRunSchema, examples: { appRun: EXAMPLE_APP_RUN } }],
  errors: ["INVALID_INPUT", "APP_NOT_FOUND", "RUN_NOT_FOUND"],
  async handle({ principal, params, baseUrl }) {
    requireApp(principal, params.appId);
    return { status: 200, body: toAppRun(await getRun(principal, params.runId, APP_RUN_KINDS), baseUrl) };
  },
});
