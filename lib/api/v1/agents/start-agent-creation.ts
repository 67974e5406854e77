import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { acceptedReply, idempotency } from "@/lib/api/v1/runs/accepted-reply";
import { EXAMPLE_CREATION_RUN } from "@/lib/api/v1/runs/run-examples";
import { toRun } from "@/lib/api/v1/runs/to-run";
import { idField, webhookUrlField } from "@/lib/api/v1/schemas/fields";
import { runSchema, sentenceField } from "@/lib/api/v1/schemas/run-schemas";
import { requestAgentCreation } from "@/lib/domain/agents/request-agent-creation";

export const startAgentCreation = operation({
  method: "POST",
  path: "/v1/agents",
  operationId: "createAgent",
  tag: "Agents",
  summary: "Create an agent from plain language",
  description:
    "Starts an asynchronous creation run. The agent is built, validated and stored by the run; the completed run carries its id.",
  hourlyWrite: true,
  idempotent: true,
  body: z
    .strictObject({ input: sentenceField, conversation_id: idField.optional(), webhook_url: webhookUrlField.optional() })
    .meta({ id: "CreateAgentRequest" }),
  examples: {
    sentence: {
      input: "An agent that answers questions about a table of sales in its workspace, with figures, and names the file they are from.",
      webhook_url: "https://example.com/hooks/agents",
    },
  },
  creates: ["agents", "conversations"],
  responses: [
    {
      status: 202,
      description: "The creation run, pending.",
      schema: runSchema,
      headers: ["Location"],
      examples: { accepted: EXAMPLE_CREATION_RUN },
    },
  ],
  errors: [
    "INVALID_INPUT",
    "CONVERSATION_NOT_FOUND",
    "IDEMPOTENCY_CONFLICT",
    "ACCOUNT_BLOCKED",
    "CONVERSATION_BUSY",
    "INSUFFICIENT_CREDITS",
    "SERVICE_UNAVAILABLE",
  ],
  async handle(call) {
    const answer = (run: Parameters<typeof toRun>[0]) => toRun(run, call.baseUrl);
    const accepted = await requestAgentCreation(
      call.principal,
      { text: call.body.input, conversationId: call.body.conversation_id ?? null, webhookUrl: call.body.webhook_url ?? null },
      idempotency(call, "createAgent", answer),
    );
    return acceptedReply(accepted, answer);
  },
});
