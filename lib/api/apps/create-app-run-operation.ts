import "server-only";
import { z } from "zod";
import { EXAMPLE_APP_RUN } from "@/lib/api/apps/app-run-examples";
import { appRunSchema, createAppRunBody } from "@/lib/api/apps/app-run-schemas";
import { toAppRun } from "@/lib/api/apps/to-app-run";
import { operation } from "@/lib/api/http/operation";
import { acceptedReply, idempotency } from "@/lib/api/v1/runs/accepted-reply";
import { idField } from "@/lib/api/v1/schemas/fields";
import { requireApp } from "@/lib/domain/apps/require-app";
import { requestRun } from "@/lib/domain/runs/request-run";
import type { RunView } from "@/lib/domain/runs/run-view";
import { ServiceError } from "@/lib/model/errors";
import { toMicros } from "@/lib/model/run/usage";

export const createAppRunOperation = operation({
  method: "POST",
  path: "/api/v1/apps/{appId}/runs",
  operationId: "createAppRun",
  tag: "App-scoped path",
  summary: "Start a run of the key's agent",
  description: "Starts an asynchronous run of the one agent that the app key is for. Poll it, or have it sent to a webhook.",
  auth: "app",
  budget: "run",
  idempotent: true,
  params: z.object({ appId: idField }),
  body: createAppRunBody,
  examples: {
    question: {
      inputs: { question: "What were the best three months?" },
      webhookUrl: "https://example.com/hooks/runs",
      shouldNotify: false,
    },
  },
  creates: ["conversations"],
  responses: [
    { status: 202, description: "The run, pending.", schema: appRunSchema, headers: ["Location"], examples: { pending: EXAMPLE_APP_RUN } },
  ],
  errors: [
    "INVALID_INPUT",
    "APP_NOT_FOUND",
    "WORKSPACE_NOT_FOUND",
    "CONVERSATION_NOT_FOUND",
    "CONFLICT",
    "IDEMPOTENCY_CONFLICT",
    "ACCOUNT_BLOCKED",
    "CONVERSATION_BUSY",
    "INSUFFICIENT_CREDITS",
    "SERVICE_UNAVAILABLE",
  ],
  async handle(call) {
    const { principal, params, body } = call;
    requireApp(principal, params.appId);
    const answer = (run: RunView) => toAppRun(run, call.baseUrl);
    const request = {
      agentId: params.appId,
      input: body.inputs,
      conversationId: body.conversationId ?? null,
      workspaceId: body.workspaceId ?? null,
      webhookUrl: body.webhookUrl ?? null,
      shouldNotify: body.shouldNotify ?? false,
      model: body.model ?? null,
      metadata: body.metadata ?? {},
      maxCreditsMicros: body.maxCredits === undefined ? null : toMicros(body.maxCredits),
    };
    const names = { input: "inputs", webhookUrl: "webhookUrl" };
    const accepted = await requestRun(principal, "app", request, idempotency(call, "createAppRun", answer), names).catch(inCamelCase);
    return acceptedReply(accepted, answer, (runId) => `/api/v1/apps/${params.appId}/runs/${runId}`);
  },
});

/** The run in the way of a busy conversation, under the name that this path gives a run's id. @throws whatever it is given */
function inCamelCase(error: unknown): never {
  if (!(error instanceof ServiceError) || error.extras.run_id === undefined) throw error;
  const { run_id: runId, ...rest } = error.extras;
  throw new ServiceError(error.code, error.message, { ...rest, runId }, error.headers);
}
