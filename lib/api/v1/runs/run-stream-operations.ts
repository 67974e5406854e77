import "server-only";
import { z } from "zod";
import { type Call, NDJSON_HEADERS, ndjson, operation } from "@/lib/api/http/operation";
import {
  runEventPageSchema,
  runEventSchema,
  startingAfter,
  wantsPage,
} from "@/lib/api/schemas/event-schemas";
import { EXAMPLE_IDS, idField, listQuery } from "@/lib/api/schemas/fields";
import { EXAMPLE_EVENTS } from "@/lib/api/schemas/run-examples";
import { realtimeRunBody, toRunInput } from "@/lib/api/schemas/run-schemas";
import { openStream } from "@/lib/domain/runs/open-stream";
import { readRunEventPage } from "@/lib/domain/runs/read-run-event-page";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun } from "@/lib/domain/runs/run-view";
import { streamRun } from "@/lib/domain/runs/stream-run";
import type { ErrorCode } from "@/lib/model/errors";
import { AGENT_ROUTE_KINDS, type RunKind } from "@/lib/model/run/run-status";

export const createRealtimeRunOperation = operation({
  method: "POST",
  path: "/v1/realtime/runs",
  operationId: "createRealtimeRun",
  tag: "Runs",
  summary: "Start a run and stream it",
  description:
    "The answer is the run's event stream as newline-delimited JSON: `run.created` first, " +
    "exactly one terminal line last. The run goes on when the client goes away; fetch it, or " +
    "resume its events, by its id.",
  budget: "run",
  body: realtimeRunBody,
  examples: {
    agent: {
      agent_id: EXAMPLE_IDS.agent_id,
      input: { question: "What were the best three months?" },
    },
  },
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
    "VERSION_NOT_FOUND",
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
      const run = await requestRun(call.principal, "agent", toRunInput(call.body));
      if ("replayed" in run) throw new Error("a realtime run takes no Idempotency-Key");
      return streamRun(run, -1, call.baseUrl, call.request.signal);
    });
    return ndjson(stream);
  },
});

const runParams = z.object({ run_id: idField });
const runQuery = z.object({ starting_after: startingAfter, limit: listQuery.limit });

/** Following a run, on the routes that show runs of these kinds. */
export function listRunEventsOf(kinds: readonly RunKind[]) {
  return {
    method: "GET" as const,
    description:
      "The stored events after `starting_after`, then live ones until the terminal line, as " +
      "NDJSON; it ends earlier where your key is revoked or expires. With `Accept: " +
      "application/json` one page, oldest first. Kept for 24 hours after the end.",
    params: runParams,
    query: runQuery,
    responses: [
      {
        status: 200,
        description: "One JSON object a line.",
        schema: runEventSchema,
        contentType: "application/x-ndjson",
        headers: NDJSON_HEADERS,
        examples: EXAMPLE_EVENTS,
      },
      {
        status: 200,
        description: "A page; `next_cursor` is the next `starting_after`.",
        schema: runEventPageSchema,
        examples: {
          page: {
            data: [EXAMPLE_EVENTS.created, EXAMPLE_EVENTS.message],
            has_more: true,
            next_cursor: "1",
          },
        },
      },
    ],
    errors: ["INVALID_INPUT", "RUN_NOT_FOUND"] satisfies ErrorCode[],
    async handle({
      principal,
      params,
      query,
      request,
      baseUrl,
    }: Call<z.output<typeof runParams>, z.output<typeof runQuery>, undefined>) {
      const run = await getRun(principal, params.run_id, kinds);
      if (!wantsPage(request))
        return ndjson(
          await openStream(principal, async () =>
            streamRun(run, query.starting_after, baseUrl, request.signal),
          ),
        );
      const page = await readRunEventPage(run, query.starting_after, query.limit, baseUrl);
      const body =
        `{"data":[${page.lines.join(",")}],"has_more":${page.hasMore},"next_cursor":` +
        `${JSON.stringify(page.nextCursor)}}`;
      return { status: 200, body };
    },
  };
}

export const listRunEventsOperation = operation({
  ...listRunEventsOf(AGENT_ROUTE_KINDS),
  path: "/v1/runs/{run_id}/events",
  operationId: "listRunEvents",
  tag: "Runs",
  summary: "Follow or page a run's events",
});
