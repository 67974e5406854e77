import "server-only";
import { z } from "zod";
import { type Operation, operation } from "@/lib/api/http/operation";
import { toAppActions } from "@/lib/api/schemas/action-schemas";
import {
  appRunPageSchema,
  appRunSchema,
  createAppRunBody,
} from "@/lib/api/schemas/app-run-schemas";
import { EXAMPLE_IDS, idField } from "@/lib/api/schemas/fields";
import {
  acceptedReply,
  idempotency,
  runFilterQuery,
  toRunFilter,
} from "@/lib/api/schemas/run-schemas";
import { appToolResultsBody, toToolResult } from "@/lib/api/schemas/tool-result-schemas";
import { APP_RUN_KINDS, requireApp } from "@/lib/domain/apps/require-app";
import { signArtifacts } from "@/lib/domain/artifacts/sign-artifacts";
import { readRunActions } from "@/lib/domain/execution/read-run-actions";
import { listRuns } from "@/lib/domain/runs/list-runs";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RequiredAction, type RunView } from "@/lib/domain/runs/run-view";
import { submitToolResults } from "@/lib/domain/runs/submit-tool-results";
import { ServiceError } from "@/lib/model/errors";
import { type RunResult, toMicros } from "@/lib/model/run/run-result";

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/**
 * A run in the words of the app-scoped path, camelCase to the bottom; what the model put into
 * `data` stays as it is.
 */
function toAppRun(run: RunView, baseUrl: string) {
  return {
    runId: run.id,
    appId: run.agentId,
    status: run.status,
    conversationId: run.conversationId,
    threadId: run.conversationId,
    workspaceId: run.workspaceId,
    model: run.model,
    metadata: run.metadata,
    requiresAction: run.requiresAction && toRequiresAction(run.requiresAction),
    result:
      run.result && toResult(signArtifacts(run.result, { accountId: run.accountId, baseUrl })),
    usage: { credits: run.usage.credits, breakdown: run.usage.breakdown.map(toUsageRow) },
    error: run.error,
    createdAt: run.createdAt.toISOString(),
    startedAt: time(run.startedAt),
    completedAt: time(run.completedAt),
    webhookDeliveredAt: time(run.webhookDeliveredAt),
  };
}

function toRequiresAction(action: RequiredAction) {
  if (action.type === "approval") return { type: action.type, approvalId: action.approval_id };
  return {
    type: action.type,
    calls: action.calls.map(({ tool_call_id, ...call }) => ({ toolCallId: tool_call_id, ...call })),
  };
}

function toResult(result: RunResult) {
  const artifacts = result.artifacts.map(({ size_bytes, ...artifact }) => ({
    ...artifact,
    sizeBytes: size_bytes,
  }));
  return {
    text: result.text,
    ...(result.agent_id !== undefined && { agentId: result.agent_id }),
    ...(result.agent_name !== undefined && { agentName: result.agent_name }),
    artifacts,
    ...(result.data !== undefined && { data: result.data }),
  };
}

function toUsageRow(row: RunView["usage"]["breakdown"][number]) {
  return {
    model: row.model,
    capability: row.capability,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cachedInputTokens: row.cached_input_tokens,
    units: row.units,
    credits: row.credits,
  };
}

/** A run of the app-scoped path that was accepted just now. */
const EXAMPLE_APP_RUN: z.output<typeof appRunSchema> = {
  runId: EXAMPLE_IDS.run_id,
  appId: EXAMPLE_IDS.agent_id,
  status: "pending",
  conversationId: EXAMPLE_IDS.conversation_id,
  threadId: EXAMPLE_IDS.conversation_id,
  workspaceId: null,
  model: "anthropic/claude-sonnet-5-5",
  metadata: {},
  requiresAction: null,
  result: null,
  usage: { credits: 0, breakdown: [] },
  error: null,
  createdAt: "2026-01-31T09:30:00.000Z",
  startedAt: null,
  completedAt: null,
  webhookDeliveredAt: null,
};

const createAppRunOperation = operation({
  method: "POST",
  path: "/api/v1/apps/{appId}/runs",
  operationId: "createAppRun",
  tag: "App-scoped path",
  summary: "Start a run of the key's agent",
  description:
    "Starts an asynchronous run of the one agent that the app key is for. Poll it, or have it sent to a webhook.",
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
    {
      status: 202,
      description: "The run, pending.",
      schema: appRunSchema,
      headers: ["Location"],
      examples: { pending: EXAMPLE_APP_RUN },
    },
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
    const accepted = await requestRun(
      principal,
      "app",
      request,
      idempotency(call, "createAppRun", answer),
      names,
    ).catch(inCamelCase);
    return acceptedReply(accepted, answer, (runId) => `/api/v1/apps/${params.appId}/runs/${runId}`);
  },
});

/**
 * The run in the way of a busy conversation, under the name that this path gives a run's id.
 * @throws whatever it is given
 */
function inCamelCase(error: unknown): never {
  if (!(error instanceof ServiceError) || error.extras.run_id === undefined) throw error;
  const { run_id: runId, ...rest } = error.extras;
  throw new ServiceError(error.code, error.message, { ...rest, runId }, error.headers);
}

const { limit, cursor, status, conversation_id, created_after, created_before, metadata } =
  runFilterQuery.shape;

const listAppRunsOperation = operation({
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
    return {
      status: 200,
      body: { data, hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
    };
  },
});

const getAppRunOperation = operation({
  method: "GET",
  path: "/api/v1/apps/{appId}/runs/{runId}",
  operationId: "getAppRun",
  tag: "App-scoped path",
  summary: "Fetch a run",
  description: "Status, result, usage and error of a run that was started on this path.",
  auth: "app",
  params: z.object({ appId: idField, runId: idField }),
  responses: [
    {
      status: 200,
      description: "The run.",
      schema: appRunSchema,
      examples: { appRun: EXAMPLE_APP_RUN },
    },
  ],
  errors: ["INVALID_INPUT", "APP_NOT_FOUND", "RUN_NOT_FOUND"],
  async handle({ principal, params, baseUrl }) {
    requireApp(principal, params.appId);
    const run = await getRun(principal, params.runId, APP_RUN_KINDS);
    const actions = toAppActions(await readRunActions(run));
    return { status: 200, body: { ...toAppRun(run, baseUrl), ...actions } };
  },
});

const submitAppToolResultsOperation = operation({
  method: "POST",
  path: "/api/v1/apps/{appId}/runs/{runId}/tool-results",
  operationId: "submitAppToolResults",
  tag: "App-scoped path",
  summary: "Post results of client tools",
  description:
    "Answers calls that a run of this path waits for (`requiresAction.calls`). With the last of them the run goes on.",
  auth: "app",
  params: z.object({ appId: idField, runId: idField }),
  body: appToolResultsBody,
  examples: { output: { results: [{ toolCallId: "call_1", output: { status: "shipped" } }] } },
  creates: ["nothing"],
  responses: [
    {
      status: 202,
      description: "The run, with the calls that are still open.",
      schema: appRunSchema,
      examples: {
        running: { ...EXAMPLE_APP_RUN, status: "running", startedAt: "2026-01-31T09:30:01.000Z" },
      },
    },
  ],
  errors: ["INVALID_INPUT", "APP_NOT_FOUND", "RUN_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body, baseUrl }) {
    requireApp(principal, params.appId);
    const results = body.results.map(({ toolCallId, ...result }) =>
      toToolResult(toolCallId, result),
    );
    return {
      status: 202,
      body: toAppRun(
        await submitToolResults(principal, params.runId, results, APP_RUN_KINDS),
        baseUrl,
      ),
    };
  },
});

/** Every operation of the app-scoped path. */
export const APP_OPERATIONS: Operation[] = [
  createAppRunOperation,
  listAppRunsOperation,
  getAppRunOperation,
  submitAppToolResultsOperation,
];
