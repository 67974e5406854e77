import "server-only";
import { NDJSON_HEADERS, ndjson } from "@/lib/api/http/ndjson";
import { operation } from "@/lib/api/http/operation";
import { EXAMPLE_EVENTS } from "@/lib/api/v1/runs/run-examples";
import { toRunInput } from "@/lib/api/v1/runs/to-run-input";
import { runEventSchema } from "@/lib/api/v1/schemas/event-schemas";
import { EXAMPLE_IDS } from "@/lib/api/v1/schemas/example-ids";
import { realtimeRunBody } from "@/lib/api/v1/schemas/run-schemas";
import { openStream } from "@/lib/domain/runs/open-stream";
import { requestRun } from "@/lib/domain/runs/request-run";
import { streamRun } from "@/lib/domain/runs/stream-run";

export const createRealtimeRunOperation = operation({
  method: "POST",
  path: "/v1/realtime/runs",
  operationId: "createRealtimeRun",
  tag: "Runs",
  summary: "Start a run and stream it",
  description:
    "The answer is the run's event stream as newline-delimited JSON: `run.created` first, exactly one terminal line last. The run goes on when the client goes away; fetch it, or resume its events, by its id.",
  budget: "run",
  body: realtimeRunBody,
  examples: { agent: { agent_id: EXAMPLE_IDS.agent_id, input: { question: "What were the best three months?" } } },
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
  errors: [
    "INVALID_INPUT",
    "AGENT_NOT_FOUND",
    "WORKSPACE_NOT_FOUND",
    "CONVERSATION_NOT_FOUND",
    "CONFLICT",
    "ACCOUNT_BLOCKED",
    "CONVERSATION_BUSY",
    "INSUFFICIENT_CREDITS",
    "SERVICE_UNAVAILABLE",
  ],
  async handle(call) {
    const stream = await openStream(call.principal, async () => {
      const run = await requestRun(call.principal, "agent", { ...toRunInput(call.body), webhookUrl: null, shouldNotify: false });
      if ("replayed" in run) throw new Error("a realtime run takes no Idempotency-Key");
      return streamRun(run, -1, call.baseUrl, call.request.signal);
    });
    return ndjson(stream);
  },
});
