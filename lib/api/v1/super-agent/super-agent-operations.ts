import "server-only";
import { z } from "zod";
import {
  NDJSON_HEADERS,
  ndjson,
  type Operation,
  operation,
  toList,
} from "@/lib/api/http/operation";
import { toActions } from "@/lib/api/schemas/action-schemas";
import { runEventSchema } from "@/lib/api/schemas/event-schemas";
import { examplePage, idField, listOf } from "@/lib/api/schemas/fields";
import {
  EXAMPLE_CANCELLED_RUN,
  EXAMPLE_EVENTS,
  EXAMPLE_RUN,
  EXAMPLE_SUPER_AGENT_RUN,
} from "@/lib/api/schemas/run-examples";
import {
  acceptedReply,
  createRunBody,
  idempotency,
  realtimeRunBody,
  runFilterQuery,
  runSchema,
  toRun,
  toRunFilter,
  toRunInput,
} from "@/lib/api/schemas/run-schemas";
import { listRunMessagesOf, sendMessageOf } from "@/lib/api/v1/runs/run-message-operations";
import { getRunOf, updateRunOf } from "@/lib/api/v1/runs/run-operations";
import { listRunEventsOf } from "@/lib/api/v1/runs/run-stream-operations";
import { readRunActions } from "@/lib/domain/execution/trace/read-run-actions";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { listRuns } from "@/lib/domain/runs/list-runs";
import { openStream } from "@/lib/domain/runs/open-stream";
import { requestRun } from "@/lib/domain/runs/request-run";
import type { RunView } from "@/lib/domain/runs/run-view";
import { streamRun } from "@/lib/domain/runs/stream-run";
import type { ErrorCode } from "@/lib/model/errors";
import { SUPER_AGENT_KINDS } from "@/lib/model/run/run-status";

/** As a run of an agent, without naming one. */
const superAgentRealtimeBody = realtimeRunBody
  .omit({ agent_id: true, version: true })
  .meta({ id: "SuperAgentRealtimeRunRequest" });
const superAgentRunBody = createRunBody
  .omit({ agent_id: true, version: true })
  .meta({ id: "CreateSuperAgentRunRequest" });

const START_ERRORS: ErrorCode[] = [
  "INVALID_INPUT",
  "WORKSPACE_NOT_FOUND",
  "CONVERSATION_NOT_FOUND",
  "ACCOUNT_BLOCKED",
  "CONVERSATION_BUSY",
  "INSUFFICIENT_CREDITS",
  "SERVICE_UNAVAILABLE",
];

const createSuperAgentRunOperation = operation({
  method: "POST",
  path: "/v1/super-agent/runs",
  operationId: "createSuperAgentRun",
  tag: "Super-agent",
  summary: "Start a super-agent run",
  description:
    "Starts an asynchronous run of the super-agent, which knows the product profile and can " +
    "list, create, edit and run the account's agents. The runs that it starts are ordinary " +
    "runs of the account; `max_credits` bounds all of them together.",
  budget: "run",
  superAgent: true,
  idempotent: true,
  body: superAgentRunBody,
  examples: {
    request: { input: { request: "Which of my agents ran most this week?" }, max_credits: 50 },
  },
  creates: ["conversations"],
  responses: [
    {
      status: 202,
      description: "The run, pending.",
      schema: runSchema,
      headers: ["Location"],
      examples: { superAgent: EXAMPLE_SUPER_AGENT_RUN },
    },
  ],
  errors: [...START_ERRORS, "IDEMPOTENCY_CONFLICT"],
  async handle(call) {
    const { principal, body } = call;
    const answer = (run: RunView) => toRun(run, call.baseUrl);
    const accepted = await requestRun(
      principal,
      "super_agent",
      toRunInput(body),
      idempotency(call, "createSuperAgentRun", answer),
    );
    return acceptedReply(accepted, answer, (runId) => `/v1/super-agent/runs/${runId}`);
  },
});

const createSuperAgentRealtimeRunOperation = operation({
  method: "POST",
  path: "/v1/super-agent/realtime/runs",
  operationId: "createSuperAgentRealtimeRun",
  tag: "Super-agent",
  summary: "Start a super-agent run and stream it",
  description: "The answer is the run's event stream, as of `POST /v1/realtime/runs`.",
  budget: "run",
  superAgent: true,
  body: superAgentRealtimeBody,
  examples: { request: { input: { request: "Which of my agents ran most this week?" } } },
  creates: ["conversations"],
  responses: [
    {
      status: 200,
      description: "One JSON object a line.",
      schema: runEventSchema,
      contentType: "application/x-ndjson",
      headers: NDJSON_HEADERS,
      examples: EXAMPLE_EVENTS,
    },
  ],
  errors: START_ERRORS,
  async handle(call) {
    const stream = await openStream(call.principal, async () => {
      const run = await requestRun(call.principal, "super_agent", toRunInput(call.body));
      if ("replayed" in run) throw new Error("a realtime run takes no Idempotency-Key");
      return streamRun(run, -1, call.baseUrl, call.request.signal);
    });
    return ndjson(stream);
  },
});

const START_SUPER_AGENT_RUN_OPERATIONS: Operation[] = [
  createSuperAgentRunOperation,
  createSuperAgentRealtimeRunOperation,
];

const { agent_id: _never, ...filters } = runFilterQuery.shape; // a super-agent run has no agent

const listSuperAgentRunsOperation = operation({
  method: "GET",
  path: "/v1/super-agent/runs",
  operationId: "listSuperAgentRuns",
  tag: "Super-agent",
  summary: "List super-agent runs",
  description:
    "Super-agent runs only, newest first. The runs that they started are in the agents' list.",
  superAgent: true,
  query: z.object(filters),
  responses: [
    {
      status: 200,
      description: "A page of runs.",
      schema: listOf(runSchema),
      examples: examplePage(EXAMPLE_SUPER_AGENT_RUN),
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query, baseUrl }) {
    const page = await listRuns(principal, query, toRunFilter(query, SUPER_AGENT_KINDS));
    return { status: 200, body: toList(page, (run) => toRun(run, baseUrl)) };
  },
});

const getSuperAgentRunOperation = operation({
  ...getRunOf(SUPER_AGENT_KINDS),
  path: "/v1/super-agent/runs/{run_id}",
  operationId: "getSuperAgentRun",
  tag: "Super-agent",
  summary: "Fetch a super-agent run",
  description: "Status, result, usage and error of a super-agent run.",
  superAgent: true,
});

const listSuperAgentRunEventsOperation = operation({
  ...listRunEventsOf(SUPER_AGENT_KINDS),
  path: "/v1/super-agent/runs/{run_id}/events",
  operationId: "listSuperAgentRunEvents",
  tag: "Super-agent",
  summary: "Follow or page a super-agent run's events",
  superAgent: true,
});

const updateSuperAgentRunOperation = operation({
  ...updateRunOf(SUPER_AGENT_KINDS),
  path: "/v1/super-agent/runs/{run_id}",
  operationId: "updateSuperAgentRun",
  tag: "Super-agent",
  superAgent: true,
  description:
    "Raises what a super-agent's run and all that it has started may cost together. Those of " +
    "them that wait for it go on. Of one that has ended too, while a run that it has started " +
    "waits.",
});

const cancelSuperAgentRunOperation = operation({
  method: "POST",
  path: "/v1/super-agent/runs/{run_id}/cancel",
  operationId: "cancelSuperAgentRun",
  tag: "Super-agent",
  summary: "Cancel a super-agent run",
  description:
    "Cancels it, and the run of an agent that it waits for. A run that has ended is answered " +
    "unchanged.",
  superAgent: true,
  params: z.object({ run_id: idField }),
  creates: ["nothing"],
  responses: [
    {
      status: 202,
      description: "Cancelled by this call.",
      schema: runSchema,
      examples: { cancelled: EXAMPLE_CANCELLED_RUN },
    },
    {
      status: 200,
      description: "The run had ended before.",
      schema: runSchema,
      examples: { completed: EXAMPLE_RUN },
    },
  ],
  errors: ["INVALID_INPUT", "RUN_NOT_FOUND"],
  async handle({ principal, params, baseUrl }) {
    const { run, cancelled } = await cancelRun(principal, params.run_id, SUPER_AGENT_KINDS);
    const actions = toActions(await readRunActions(run));
    return { status: cancelled ? 202 : 200, body: { ...toRun(run, baseUrl), ...actions } };
  },
});

const SUPER_AGENT_MESSAGE_OPERATIONS: Operation[] = [
  operation({
    ...sendMessageOf(SUPER_AGENT_KINDS, "sendSuperAgentMessage"),
    path: "/v1/super-agent/runs/{run_id}/messages",
    operationId: "sendSuperAgentMessage",
    tag: "Super-agent",
    summary: "Say something to a super-agent run",
    superAgent: true,
  }),
  operation({
    ...listRunMessagesOf(SUPER_AGENT_KINDS),
    path: "/v1/super-agent/runs/{run_id}/messages",
    operationId: "listSuperAgentRunMessages",
    tag: "Super-agent",
    summary: "List what was said to a super-agent run",
    superAgent: true,
  }),
];

export const SUPER_AGENT_OPERATIONS: Operation[] = [
  ...START_SUPER_AGENT_RUN_OPERATIONS,
  listSuperAgentRunsOperation,
  getSuperAgentRunOperation,
  listSuperAgentRunEventsOperation,
  updateSuperAgentRunOperation,
  cancelSuperAgentRunOperation,
  ...SUPER_AGENT_MESSAGE_OPERATIONS,
];
