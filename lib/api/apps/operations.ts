import "server-only";
import { z } from "zod";
import { APP_APPROVAL_OPERATIONS } from "@/lib/api/apps/approval-operations";
import { inCamelCase } from "@/lib/api/apps/camel-case";
import { listAppRunEventsOperation } from "@/lib/api/apps/run-event-operations";
import { type Operation, operation } from "@/lib/api/http/operation";
import { toAppActions } from "@/lib/api/schemas/action-schemas";
import {
  appRunPageSchema,
  appRunSchema,
  createAppRunBody,
  EXAMPLE_APP_RUN,
  toAppRun,
  toAppRunInput,
} from "@/lib/api/schemas/app-run-schemas";
import { idField } from "@/lib/api/schemas/fields";
import {
  appAcceptedMessageSchema,
  appSendMessageBody,
  EXAMPLE_APP_ACCEPTED_MESSAGE,
  messageRequest,
  NEXT_RUN_ERRORS,
} from "@/lib/api/schemas/message-schemas";
import { updateAppRunBody } from "@/lib/api/schemas/raise-limit-schemas";
import {
  acceptedReply,
  idempotency,
  runFilterQuery,
  toRunFilter,
} from "@/lib/api/schemas/run-schemas";
import { appToolResultsBody, toToolResult } from "@/lib/api/schemas/tool-result-schemas";
import { APP_RUN_KINDS, requireApp } from "@/lib/domain/apps/require-app";
import { getRunAndActions, readRunActions } from "@/lib/domain/execution/trace/read-run-actions";
import type { Principal } from "@/lib/domain/principal";
import { raiseRunLimit } from "@/lib/domain/run-steps";
import type { StartedRun } from "@/lib/domain/runs/accept-run";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { listRuns } from "@/lib/domain/runs/list-runs";
import { messageRun } from "@/lib/domain/runs/message-run";
import { requestRun } from "@/lib/domain/runs/request-run";
import type { AcceptedMessage } from "@/lib/domain/runs/send-message";
import { submitToolResults } from "@/lib/domain/runs/submit-tool-results";
import { END_USER_KEY } from "@/lib/model/end-user";
import { ServiceError } from "@/lib/model/errors";
import { toMicros } from "@/lib/model/run/run-result";

const createAppRunOperation = operation({
  method: "POST",
  path: "/api/v1/apps/{appId}/runs",
  operationId: "createAppRun",
  tag: "App-scoped path",
  summary: "Start a run of the key's agent",
  description:
    "Starts an asynchronous run of the one agent that the app key is for. Poll it, follow its " +
    "events, or have it sent to a webhook. With a client token the run is its person's " +
    "(`endUser`), and `webhookUrl`, `shouldNotify`, `workspaceId`, `model` and `onBudget` answer " +
    "403 `FORBIDDEN`.",
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
    requireApp(principal, params.appId, "run");
    refuseBeyondClient(principal, body);
    if (body.ifBusy === "steer") requireApp(principal, params.appId, "message");
    if (body.ifBusy === "interrupt") requireApp(principal, params.appId, "cancel");
    const answer = (run: StartedRun) => toAppRun(run, call.baseUrl);
    const said = toAppRunInput(body);
    const request = {
      ...said,
      agentId: params.appId,
      conversationId: said.conversationId ?? principal.client?.conversationId ?? null,
      // Whatever it says: a token's runs are its person's.
      endUser: principal.client?.endUser ?? said.endUser,
      metadata: {
        ...said.metadata,
        ...(principal.client && { [END_USER_KEY]: principal.client.endUser }),
      },
    };
    const names = { input: "inputs", webhookUrl: "webhookUrl", endUser: "endUser" };
    const accepted = await requestRun(
      principal,
      "app",
      request,
      idempotency(call, `createAppRun${keysOf(principal)}`, answer),
      names,
    )
      .catch(inWordsOfPath)
      .catch((error: unknown) => withoutBalance(principal, error));
    return acceptedReply(accepted, answer, (runId) => `/api/v1/apps/${params.appId}/runs/${runId}`);
  },
});

/**
 * A refusal under the names that this path gives what it tells: the run in the way, the limit that
 * is too low.
 * @throws whatever it is given
 */
function inWordsOfPath(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  const { code, message, headers } = error;
  const extras = inCamelCase(error.extras) as ServiceError["extras"]; // an object stays one
  throw new ServiceError(code, message.replaceAll("max_credits", "maxCredits"), extras, headers);
}

/** What costs the account, or reaches further than the person: the backend's to decide. */
const BEYOND_CLIENT = ["webhookUrl", "shouldNotify", "workspaceId", "model", "onBudget"] as const;

/** @throws ServiceError FORBIDDEN for a field that no client token may send */
function refuseBeyondClient({ client }: Principal, body: z.output<typeof createAppRunBody>): void {
  const field = client && BEYOND_CLIENT.find((name) => body[name] !== undefined);
  if (field === undefined) return;
  throw new ServiceError(
    "FORBIDDEN",
    `${field} is for app keys: a run that is started with a client token takes inputs, ` +
      "conversationId, metadata, maxCredits and ifBusy.",
  );
}

/**
 * Each person has Idempotency-Keys of their own, and each conversation that a token is bound to.
 */
function keysOf({ client }: Principal): string {
  return client ? ` for ${JSON.stringify([client.endUser, client.conversationId])}` : "";
}

/** What the account has left is not for its people to read. @throws whatever it is given */
function withoutBalance({ client }: Principal, error: unknown): never {
  if (client && error instanceof ServiceError && error.code === "INSUFFICIENT_CREDITS")
    throw new ServiceError(
      "INSUFFICIENT_CREDITS",
      "This run cannot be paid for at the moment. Nothing was started.",
    );
  throw error;
}

const {
  limit,
  cursor,
  status,
  conversation_id,
  end_user,
  created_after,
  created_before,
  metadata,
} = runFilterQuery.shape;

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
    endUser: end_user,
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
    requireApp(principal, params.appId, "read");
    const { conversationId, endUser, createdAfter, createdBefore, ...rest } = query;
    const filter = {
      ...rest,
      agent_id: params.appId,
      conversation_id: conversationId,
      end_user: endUser,
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
    requireApp(principal, params.appId, "read");
    const { run, actions } = await getRunAndActions(principal, params.runId, APP_RUN_KINDS);
    return { status: 200, body: { ...toAppRun(run, baseUrl), ...toAppActions(actions) } };
  },
});

const submitAppToolResultsOperation = operation({
  method: "POST",
  path: "/api/v1/apps/{appId}/runs/{runId}/tool-results",
  operationId: "submitAppToolResults",
  tag: "App-scoped path",
  summary: "Post results of client tools",
  description:
    "Answers calls that a run of this path waits for (`requiresAction.calls`). With the last of " +
    "them the run goes on.",
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
    requireApp(principal, params.appId, "run");
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

const cancelAppRunOperation = operation({
  method: "POST",
  path: "/api/v1/apps/{appId}/runs/{runId}/cancel",
  operationId: "cancelAppRun",
  tag: "App-scoped path",
  summary: "Cancel a run",
  description:
    "Cancels a pending or running run of this path and aborts its model call within a second. A " +
    "run that has ended is answered unchanged.",
  auth: "app",
  params: z.object({ appId: idField, runId: idField }),
  creates: ["nothing"],
  responses: [
    {
      status: 202,
      description: "Cancelled by this call.",
      schema: appRunSchema,
      examples: {
        cancelled: {
          ...EXAMPLE_APP_RUN,
          status: "cancelled",
          error: { code: "RUN_CANCELLED", message: "The run was cancelled." },
          completedAt: "2026-01-31T09:30:02.000Z",
        },
      },
    },
    {
      status: 200,
      description: "The run had ended before.",
      schema: appRunSchema,
      examples: {
        completed: {
          ...EXAMPLE_APP_RUN,
          status: "completed",
          result: { text: "March, May and July were the best months.", artifacts: [] },
          startedAt: "2026-01-31T09:30:01.000Z",
          completedAt: "2026-01-31T09:30:04.000Z",
        },
      },
    },
  ],
  errors: ["INVALID_INPUT", "APP_NOT_FOUND", "RUN_NOT_FOUND"],
  async handle({ principal, params, baseUrl }) {
    requireApp(principal, params.appId, "cancel");
    const { run, cancelled } = await cancelRun(principal, params.runId, APP_RUN_KINDS);
    const actions = toAppActions(await readRunActions(run));
    return { status: cancelled ? 202 : 200, body: { ...toAppRun(run, baseUrl), ...actions } };
  },
});

const updateAppRunOperation = operation({
  method: "PATCH",
  path: "/api/v1/apps/{appId}/runs/{runId}",
  operationId: "updateAppRun",
  tag: "App-scoped path",
  summary: "Raise a run's limit",
  description:
    "Raises what a pending or running run of this path may cost, up to what the agent's config " +
    "lets a run cost. A run that waits for it goes on where it left off. Less than its limit is, " +
    "or a run without one, answers 409, as does an ended run. A client token answers 403 " +
    "`FORBIDDEN`.",
  auth: "app",
  params: z.object({ appId: idField, runId: idField }),
  body: updateAppRunBody,
  examples: { raise: { maxCredits: 50 } },
  creates: ["nothing"],
  responses: [
    {
      status: 200,
      description: "The run. While `requiresAction` still says `budget`, it needs more.",
      schema: appRunSchema,
      examples: {
        running: { ...EXAMPLE_APP_RUN, status: "running", startedAt: "2026-01-31T09:30:01.000Z" },
      },
    },
  ],
  errors: ["INVALID_INPUT", "APP_NOT_FOUND", "RUN_NOT_FOUND", "RUN_NOT_ACTIVE", "CONFLICT"],
  async handle({ principal, params, body, baseUrl }) {
    requireApp(principal, params.appId, "run");
    if (principal.client)
      throw new ServiceError("FORBIDDEN", "What a run may cost is for app keys to raise.");
    const micros = toMicros(body.maxCredits);
    const run = await raiseRunLimit(principal, params.runId, micros, APP_RUN_KINDS).catch(
      inWordsOfPath,
    );
    return { status: 200, body: toAppRun(run, baseUrl) };
  },
});

const sendAppMessageOperation = operation({
  method: "POST",
  path: "/api/v1/apps/{appId}/runs/{runId}/messages",
  operationId: "sendAppMessage",
  tag: "App-scoped path",
  summary: "Say something to a run",
  description:
    "Says something to a run of this path that has not ended, as `POST " +
    "/v1/runs/{run_id}/messages` does: with its next step, as the answer to its question, or as " +
    "the next run of its conversation. With a client token its `can` must hold `message`, and " +
    "for `after` `run` too.",
  auth: "app",
  budget: "run",
  idempotent: true,
  params: z.object({ appId: idField, runId: idField }),
  body: appSendMessageBody,
  examples: { text: { input: "Leave the appendix out." } },
  creates: ["nothing"],
  responses: [
    {
      status: 202,
      description: "Accepted.",
      schema: appAcceptedMessageSchema,
      examples: { accepted: EXAMPLE_APP_ACCEPTED_MESSAGE },
    },
  ],
  errors: [
    "INVALID_INPUT",
    "APP_NOT_FOUND",
    "RUN_NOT_FOUND",
    "RUN_NOT_ACTIVE",
    "CONFLICT",
    "IDEMPOTENCY_CONFLICT",
    ...NEXT_RUN_ERRORS,
  ],
  async handle(call) {
    const { principal, params, body } = call;
    requireApp(principal, params.appId, "message");
    if (body.when === "after") requireApp(principal, params.appId, "run");
    const toBody = (message: AcceptedMessage) => message;
    const route = `sendAppMessage${keysOf(principal)}`;
    const kept = messageRequest(call, route, toBody);
    const sent = await messageRun(principal, params.runId, body, kept, APP_RUN_KINDS)
      .catch(inWordsOfPath)
      .catch((error: unknown) => withoutBalance(principal, error));
    if ("replayed" in sent)
      return { status: 202, body: sent.body, headers: { "Idempotency-Replayed": "true" } };
    return { status: 202, body: toBody(sent) };
  },
});

/** Every operation of the app-scoped path. */
export const APP_OPERATIONS: Operation[] = [
  createAppRunOperation,
  listAppRunsOperation,
  getAppRunOperation,
  updateAppRunOperation,
  cancelAppRunOperation,
  submitAppToolResultsOperation,
  sendAppMessageOperation,
  listAppRunEventsOperation,
  ...APP_APPROVAL_OPERATIONS,
];
