import "server-only";
import { z } from "zod";
import { operation, toList } from "@/lib/api/http/operation";
import { toActions } from "@/lib/api/schemas/action-schemas";
import { examplePage, idField, listOf, listQuery, webhookUrlField } from "@/lib/api/schemas/fields";
import { EXAMPLE_EDIT, EXAMPLE_FETCHED_EDIT } from "@/lib/api/schemas/run-examples";
import {
  acceptedReply,
  builderModelField,
  editRunSchema,
  idempotency,
  sentenceField,
  toEditRun,
} from "@/lib/api/schemas/run-schemas";
import { releaseNoteField } from "@/lib/api/v1/agents/agent-schemas";
import { getAgentEdit, listAgentEdits } from "@/lib/domain/builds/agent-edits";
import { requestAgentEdit } from "@/lib/domain/builds/request-agent-edit";

const EDITS = "/v1/agents/{agent_id}/edits";

const startAgentEditOperation = operation({
  method: "POST",
  path: EDITS,
  operationId: "createAgentEdit",
  tag: "Edits",
  summary: "Change an agent in plain language",
  description:
    "Starts an asynchronous edit run. The agent stays as it is until the edit succeeds; then " +
    "the outcome is a new version, and the last number of `version` goes up. A failed or " +
    "cancelled edit leaves the agent untouched. Cancel it by `POST /v1/runs/{run_id}/cancel`.",
  hourlyWrite: true,
  idempotent: true,
  params: z.object({ agent_id: idField }),
  body: z
    .strictObject({
      input: sentenceField,
      conversation_id: idField
        .optional()
        .meta({ description: "A conversation of creations and edits to continue." }),
      webhook_url: webhookUrlField.optional(),
      release_note: releaseNoteField.optional(),
      builder_model: builderModelField.optional(),
    })
    .meta({ id: "CreateAgentEditRequest" }),
  examples: { sentence: { input: "Rename it to Sales desk.", release_note: "A better name." } },
  creates: ["versions", "conversations"],
  responses: [
    {
      status: 202,
      description: "The edit run, queued.",
      schema: editRunSchema,
      headers: ["Location"],
      examples: { accepted: EXAMPLE_EDIT },
    },
  ],
  errors: [
    "INVALID_INPUT",
    "AGENT_NOT_FOUND",
    "CONVERSATION_NOT_FOUND",
    "CONFLICT",
    "IDEMPOTENCY_CONFLICT",
    "ACCOUNT_BLOCKED",
    "CONVERSATION_BUSY",
    "INSUFFICIENT_CREDITS",
    "SERVICE_UNAVAILABLE",
  ],
  async handle(call) {
    const { principal, params, body, baseUrl } = call;
    const answer = (run: Parameters<typeof toEditRun>[0]) => toEditRun(run, baseUrl);
    const accepted = await requestAgentEdit(
      principal,
      params.agent_id,
      {
        text: body.input,
        conversationId: body.conversation_id ?? null,
        webhookUrl: body.webhook_url ?? null,
        releaseNote: body.release_note ?? null,
        builderModel: body.builder_model ?? null,
      },
      idempotency(call, "createAgentEdit", answer),
    );
    return acceptedReply(
      accepted,
      answer,
      (runId) => `/v1/agents/${params.agent_id}/edits/${runId}`,
    );
  },
});

const getAgentEditOperation = operation({
  method: "GET",
  path: `${EDITS}/{run_id}`,
  operationId: "getAgentEdit",
  tag: "Edits",
  summary: "Fetch an edit",
  description: "Status, result, usage and error of an edit run of this agent.",
  params: z.object({ agent_id: idField, run_id: idField }),
  responses: [
    {
      status: 200,
      description: "The edit run.",
      schema: editRunSchema,
      examples: { accepted: EXAMPLE_EDIT, succeeded: EXAMPLE_FETCHED_EDIT },
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "RUN_NOT_FOUND"],
  async handle({ principal, params, baseUrl }) {
    const { run, actions } = await getAgentEdit(principal, params.agent_id, params.run_id);
    return { status: 200, body: { ...toEditRun(run, baseUrl), ...toActions(actions) } };
  },
});

const listAgentEditsOperation = operation({
  method: "GET",
  path: EDITS,
  operationId: "listAgentEdits",
  tag: "Edits",
  summary: "List an agent's edits",
  description: "The agent's edit runs, newest first.",
  params: z.object({ agent_id: idField }),
  query: z.object(listQuery),
  responses: [
    {
      status: 200,
      description: "A page of edit runs.",
      schema: listOf(editRunSchema),
      examples: examplePage(EXAMPLE_EDIT),
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params, query, baseUrl }) {
    return {
      status: 200,
      body: toList(await listAgentEdits(principal, params.agent_id, query), (run) =>
        toEditRun(run, baseUrl),
      ),
    };
  },
});

export const AGENT_EDIT_OPERATIONS = [
  startAgentEditOperation,
  getAgentEditOperation,
  listAgentEditsOperation,
];
