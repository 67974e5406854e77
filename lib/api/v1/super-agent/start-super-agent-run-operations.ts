import "server-only";
import { NDJSON_HEADERS, ndjson } from "@/lib/api/http/ndjson";
import { type Operation, operation } from "@/lib/api/http/operation";
import { acceptedReply, idempotency } from "@/lib/api/v1/runs/accepted-reply";
import { EXAMPLE_EVENTS, EXAMPLE_SUPER_AGENT_RUN } from "@/lib/api/v1/runs/run-examples";
import { toRun } from "@/lib/api/v1/runs/to-run";
import { toRunInput } from "@/lib/api/v1/runs/to-run-input";
import { runEventSchema } from "@/lib/api/v1/schemas/event-schemas";
import { runSchema } from "@/lib/api/v1/schemas/run-schemas";
import { superAgentRealtimeBody, superAgentRunBody } from "@/lib/api/v1/super-agent/super-agent-run-schemas";
import { openStream } from "@/lib/domain/runs/open-stream";
import { requestRun } from "@/lib/domain/runs/request-run";
import type { RunView } from "@/lib/domain/runs/run-view";
import { streamRun } from "@/lib/domain/runs/stream-run";
import type { ErrorCode } from "@/lib/model/errors";

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
    "Starts an asynchronous run of the super-agent, which knows the product profile and can list, create, edit and run the account's agents. The runs that it starts are ordinary runs of the account; `max_credits` bounds all of them together.",
  budget: "run",
  superAgent: true,
  idempotent: true,
  body: superAgentRunBody,
  examples: { request: { input: { request: "Which of my agents ran most this week?" }, max_credits: 50 } },
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
    const input = { ...toRunInput(body), webhookUrl: body.webhook_url ?? null, shouldNotify: body.should_notify ?? false };
    const accepted = await requestRun(principal, "super_agent", input, idempotency(call, "createSuperAgentRun", answer));
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
      const run = await requestRun(call.principal, "super_agent", { ...toRunInput(call.body), webhookUrl: null, shouldNotify: false });
      if ("replayed" in run) throw new Error("a realtime run takes no Idempotency-Key");
      return streamRun(run, -1, call.baseUrl, call.request.signal);
    });
    return ndjson(stream);
  },
});

export const START_SUPER_AGENT_RUN_OPERATIONS: Operation[] = [createSuperAgentRunOperation, createSuperAgentRealtimeRunOperation];
