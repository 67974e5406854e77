import "server-only";
import { z } from "zod";
import { type Call, operation, type Reply, toList } from "@/lib/api/http/operation";
import { toActions } from "@/lib/api/schemas/action-schemas";
import { EXAMPLE_IDS, examplePage, idField, listOf } from "@/lib/api/schemas/fields";
import { UPDATED_RUN, updateRunBody } from "@/lib/api/schemas/raise-limit-schemas";
import {
  EXAMPLE_CANCELLED_RUN,
  EXAMPLE_FETCHED_RUN,
  EXAMPLE_RUN,
  EXAMPLE_RUNNING_RUN,
} from "@/lib/api/schemas/run-examples";
import {
  acceptedReply,
  createRunBody,
  EXAMPLE_PENDING_RUN,
  idempotency,
  REPLAY_SAID,
  runSchema,
  runsQuery,
  toRun,
  toRunChanges,
  toRunFilter,
  toRunInput,
} from "@/lib/api/schemas/run-schemas";
import { toolResultsBody, toToolResult } from "@/lib/api/schemas/tool-result-schemas";
import { RUN_MESSAGE_OPERATIONS } from "@/lib/api/v1/runs/run-message-operations";
import { getRunTraceOperation } from "@/lib/api/v1/runs/run-trace-operations";
import { getRunAndActions, readRunActions } from "@/lib/domain/execution/trace/read-run-actions";
import { raiseRunLimit } from "@/lib/domain/run-steps";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { deleteRun } from "@/lib/domain/runs/delete-run";
import { listRuns } from "@/lib/domain/runs/list-runs";
import { readTranscript } from "@/lib/domain/runs/read-transcript";
import { replayRun } from "@/lib/domain/runs/replay-run";
import { requestRun } from "@/lib/domain/runs/request-run";
import { submitToolResults } from "@/lib/domain/runs/submit-tool-results";
import type { ErrorCode } from "@/lib/model/errors";
import { versionField } from "@/lib/model/fields/shared-fields";
import { modelField } from "@/lib/model/run/run-fields";
import { toMicros } from "@/lib/model/run/run-result";
import { AGENT_ROUTE_KINDS, type RunKind } from "@/lib/model/run/run-status";

const createRunOperation = operation({
  method: "POST",
  path: "/v1/runs",
  operationId: "createRun",
  tag: "Runs",
  summary: "Start a run",
  description:
    "Starts an asynchronous run of an agent, or without `agent_id` a general run. With " +
    "`version` it keeps to that version of the agent to its end: skill, config and `inputs`; " +
    "otherwise to the current one. Poll it, follow its events, or have it sent to a webhook.",
  budget: "run",
  idempotent: true,
  body: createRunBody,
  examples: {
    agent: {
      agent_id: EXAMPLE_IDS.agent_id,
      input: { question: "What were the best three months?" },
      workspace_id: EXAMPLE_IDS.workspace_id,
      webhook_url: "https://example.com/hooks/runs",
      metadata: { customer: "c_42" },
      max_credits: 25,
    },
    general: { input: { request: "Add 17.5 and 4." } },
    followUp: {
      agent_id: EXAMPLE_IDS.agent_id,
      input: { question: "And the worst?" },
      conversation_id: EXAMPLE_IDS.conversation_id,
    },
    pinned: {
      agent_id: EXAMPLE_IDS.agent_id,
      input: { question: "And the worst?" },
      version: 1,
    },
  },
  creates: ["conversations"],
  responses: [
    {
      status: 202,
      description: "The run, pending.",
      schema: runSchema,
      headers: ["Location"],
      examples: { pending: EXAMPLE_PENDING_RUN },
    },
  ],
  errors: [
    "INVALID_INPUT",
    "AGENT_NOT_FOUND",
    "VERSION_NOT_FOUND",
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
    const answer = (run: Parameters<typeof toRun>[0]) => toRun(run, call.baseUrl);
    const accepted = await requestRun(
      call.principal,
      "agent",
      toRunInput(call.body),
      idempotency(call, "createRun", answer),
    );
    return acceptedReply(accepted, answer);
  },
});

const listRunsOperation = operation({
  method: "GET",
  path: "/v1/runs",
  operationId: "listRuns",
  tag: "Runs",
  summary: "List runs",
  description: "The account's runs of every kind but the super-agent's, newest first.",
  query: runsQuery,
  responses: [
    {
      status: 200,
      description: "A page of runs.",
      schema: listOf(runSchema),
      examples: examplePage(EXAMPLE_RUN),
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query, baseUrl }) {
    const page = await listRuns(principal, query, toRunFilter(query, AGENT_ROUTE_KINDS));
    return { status: 200, body: toList(page, (run) => toRun(run, baseUrl)) };
  },
});

const runParams = z.object({ run_id: idField });
const runQuery = z.object({
  raw_output: z
    .enum(["true", "false"], "must be true or false")
    .default("false")
    .meta({
      description: "`true` adds the whole transcript as `result.raw_output`.",
      examples: [true],
      override: { type: "boolean", enum: undefined, default: false },
    }),
  include_input: z
    .enum(["true", "false"], "must be true or false")
    .default("false")
    .meta({
      description: "`true` adds what the run was given as `input`.",
      examples: [true],
      override: { type: "boolean", enum: undefined, default: false },
    }),
});

/** Fetching a run, on the routes that show runs of these kinds. */
export function getRunOf(kinds: readonly RunKind[]) {
  return {
    method: "GET" as const,
    params: runParams,
    query: runQuery,
    responses: [
      {
        status: 200 as const,
        description: "The run.",
        schema: runSchema,
        examples: { completed: EXAMPLE_FETCHED_RUN },
      },
    ],
    errors: ["INVALID_INPUT", "RUN_NOT_FOUND"] satisfies ErrorCode[],
    async handle({
      principal,
      params,
      query,
      baseUrl,
    }: Call<z.output<typeof runParams>, z.output<typeof runQuery>, undefined>): Promise<
      Reply<200>
    > {
      const { run, actions } = await getRunAndActions(principal, params.run_id, kinds);
      if (query.raw_output === "true" && run.result)
        run.result = { ...run.result, raw_output: await readTranscript(run.id) };
      return {
        status: 200,
        body: {
          ...toRun(run, baseUrl),
          ...toActions(actions),
          ...(query.include_input === "true" && { input: run.input }),
        },
      };
    },
  };
}

const getRunOperation = operation({
  ...getRunOf(AGENT_ROUTE_KINDS),
  path: "/v1/runs/{run_id}",
  operationId: "getRun",
  tag: "Runs",
  summary: "Fetch a run",
  description: "Status, result, usage and error of a run of any kind but the super-agent's.",
});

const cancelRunOperation = operation({
  method: "POST",
  path: "/v1/runs/{run_id}/cancel",
  operationId: "cancelRun",
  tag: "Runs",
  summary: "Cancel a run",
  description:
    "Cancels a pending or running run and aborts its model call within a second. A run that " +
    "has ended is answered unchanged.",
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
    const { run, cancelled } = await cancelRun(principal, params.run_id);
    const actions = toActions(await readRunActions(run));
    return { status: cancelled ? 202 : 200, body: { ...toRun(run, baseUrl), ...actions } };
  },
});

/** Changing a run at work, on the routes that show runs of these kinds. */
export function updateRunOf(kinds: readonly RunKind[]) {
  return {
    method: "PATCH" as const,
    summary: "Raise a run's limit",
    params: z.object({ run_id: idField }),
    body: updateRunBody,
    examples: { raise: { max_credits: 50 } },
    creates: ["nothing"] satisfies ["nothing"],
    responses: UPDATED_RUN,
    errors: ["INVALID_INPUT", "RUN_NOT_FOUND", "RUN_NOT_ACTIVE", "CONFLICT"] satisfies ErrorCode[],
    async handle({
      principal,
      params,
      body,
      baseUrl,
    }: Call<{ run_id: string }, unknown, z.output<typeof updateRunBody>>): Promise<Reply<200>> {
      const micros = toMicros(body.max_credits);
      const run = await raiseRunLimit(principal, params.run_id, micros, kinds);
      // A super-agent's that has ended bounds what it has started all the same.
      const actions = toActions(await readRunActions(run));
      return { status: 200, body: { ...toRun(run, baseUrl), ...actions } };
    },
  };
}

const updateRunOperation = operation({
  ...updateRunOf(AGENT_ROUTE_KINDS),
  path: "/v1/runs/{run_id}",
  operationId: "updateRun",
  tag: "Runs",
  description:
    "Raises what a pending or running run may cost, above what the agent's config says too. " +
    "A run that waits for it (`requires_action` with `budget`) goes on where it left off. A " +
    "limit can only be raised: less than it is, or a run without one, answers 409, as does " +
    "an ended run. The limit that it has already changes nothing. A run that a super-agent " +
    "has started is bounded by the limit of that one's.",
});

const submitToolResultsOperation = operation({
  method: "POST",
  path: "/v1/runs/{run_id}/tool-results",
  operationId: "submitToolResults",
  tag: "Runs",
  summary: "Post results of client tools",
  description:
    "Answers calls of the agent's `tools.client` that the run waits for " +
    "(`requires_action.calls`), each by its output or an error. Some of them or all: with " +
    "the last one the run goes on. A call that the run does not wait for, or not any more, " +
    "answers 409, and nothing of the request is taken.",
  params: z.object({ run_id: idField }),
  body: toolResultsBody,
  examples: {
    output: { results: [{ tool_call_id: "call_1", output: { status: "shipped" } }] },
    error: { results: [{ tool_call_id: "call_2", error: "There is no order 4711." }] },
  },
  creates: ["nothing"],
  responses: [
    {
      status: 202,
      description: "The run, with the calls that are still open.",
      schema: runSchema,
      examples: { running: EXAMPLE_RUNNING_RUN },
    },
  ],
  errors: ["INVALID_INPUT", "RUN_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body, baseUrl }) {
    const results = body.results.map(({ tool_call_id, ...result }) =>
      toToolResult(tool_call_id, result),
    );
    return {
      status: 202,
      body: toRun(await submitToolResults(principal, params.run_id, results), baseUrl),
    };
  },
});

const deleteRunOperation = operation({
  method: "DELETE",
  path: "/v1/runs/{run_id}",
  operationId: "deleteRun",
  tag: "Runs",
  summary: "Delete a run",
  description:
    "Deletes an ended run with its events, transcript, messages, approvals, deliveries and " +
    "artifacts; their bytes no longer count against the account's space. What it cost stays " +
    "in the account's usage. While it is at work: 409.",
  params: z.object({ run_id: idField }),
  responses: [{ status: 204, description: "Deleted." }],
  errors: ["INVALID_INPUT", "RUN_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }) {
    await deleteRun(principal, params.run_id);
    return { status: 204 };
  },
});

// The order is that of the hash by which an `Idempotency-Key` knows its body.
const { metadata, max_credits, ...said } = REPLAY_SAID;

const replayRunBody = z
  .strictObject({
    model: modelField.optional().meta({
      description:
        "A model of the published list, as `provider/name`. Absent: with `version` that " +
        "version's own, else the run's.",
    }),
    version: versionField.optional(),
    ...said,
    metadata: metadata.meta({ description: "Absent: the run's." }),
    max_credits: max_credits.meta({ description: "Absent: the run's." }),
  })
  .meta({ id: "ReplayRunRequest" });

const replayRunOperation = operation({
  method: "POST",
  path: "/v1/runs/{run_id}/replay",
  operationId: "replayRun",
  tag: "Runs",
  summary: "Replay a run",
  description:
    "Starts an ended run of an agent, or a general one, once more, if you like on another " +
    "model or another version of the agent: the same input, workspace and metadata, and the " +
    "earlier messages of the conversation that the first run was shown, in a new " +
    "conversation. The files, skills and secrets are those of today, and its tools act " +
    "again. `webhook_url` and `should_notify` are not taken over. A run at work, a creation " +
    "or an edit, and an archived agent answer 409. The new run names the first one in " +
    "`replayed_from`.",
  budget: "run",
  idempotent: true,
  params: z.object({ run_id: idField }),
  body: replayRunBody,
  bodyOptional: true,
  examples: {
    same: { metadata: { customer: "c_42" } },
    version: { version: 1, max_credits: 25 },
  },
  creates: ["conversations"],
  responses: [
    {
      status: 202,
      description: "The new run, pending.",
      schema: runSchema,
      headers: ["Location"],
      examples: {
        pending: { ...EXAMPLE_PENDING_RUN, replayed_from: EXAMPLE_IDS.run_id, agent_version: 1 },
      },
    },
  ],
  errors: [
    "INVALID_INPUT",
    "RUN_NOT_FOUND",
    "VERSION_NOT_FOUND",
    "WORKSPACE_NOT_FOUND",
    "CONFLICT",
    "IDEMPOTENCY_CONFLICT",
    "ACCOUNT_BLOCKED",
    "INSUFFICIENT_CREDITS",
    "SERVICE_UNAVAILABLE",
  ],
  async handle(call) {
    const answer = (run: Parameters<typeof toRun>[0]) => toRun(run, call.baseUrl);
    return acceptedReply(
      await replayRun(
        call.principal,
        call.params.run_id,
        toRunChanges(call.body),
        idempotency(call, "replayRun", answer),
      ),
      answer,
    );
  },
});

export const RUN_OPERATIONS = [
  createRunOperation,
  listRunsOperation,
  getRunOperation,
  getRunTraceOperation,
  replayRunOperation,
  updateRunOperation,
  cancelRunOperation,
  submitToolResultsOperation,
  ...RUN_MESSAGE_OPERATIONS,
  deleteRunOperation,
];
