import "server-only";
import { operation } from "@/lib/api/http/operation";
import { acceptedReply, idempotency } from "@/lib/api/v1/runs/accepted-reply";
import { EXAMPLE_PENDING_RUN } from "@/lib/api/v1/runs/run-examples";
import { toRun } from "@/lib/api/v1/runs/to-run";
import { toRunInput } from "@/lib/api/v1/runs/to-run-input";
import { EXAMPLE_IDS } from "@/lib/api/v1/schemas/example-ids";
import { createRunBody, runSchema } from "@/lib/api/v1/schemas/run-schemas";
import { requestRun } from "@/lib/domain/runs/request-run";

export const createRunOperation = operation({
  method: "POST",
  path: "/v1/runs",
  operationId: "createRun",
  tag: "Runs",
  summary: "Start a run",
  description:
    "Starts an asynchronous run of an agent, or without `agent_id` a general run. Poll it, follow its events, or have it sent to a webhook.",
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
    followUp: { agent_id: EXAMPLE_IDS.agent_id, input: { question: "And the worst?" }, conversation_id: EXAMPLE_IDS.conversation_id },
  },
  creates: ["conversations"],
  responses: [
    { status: 202, description: "The run, pending.", schema: runSchema, headers: ["Location"], examples: { pending: EXAMPLE_PENDING_RUN } },
  ],
  errors: [
    "INVALID_INPUT",
    "AGENT_NOT_FOUND",
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
    const input = { ...toRunInput(call.body), webhookUrl: call.body.webhook_url ?? null, shouldNotify: call.body.should_notify ?? false };
    return acceptedReply(await requestRun(call.principal, "agent", input, idempotency(call, "createRun", answer)), answer);
  },
});
