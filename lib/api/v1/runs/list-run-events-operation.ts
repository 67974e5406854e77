import "server-only";
import { z } from "zod";
import { ndjson } from "@/lib/api/http/ndjson";
import { operation } from "@/lib/api/http/operation";
import { runEventSchema } from "@/lib/api/v1/schemas/event-schemas";
import { idField, listQuery } from "@/lib/api/v1/schemas/fields";
import { getRun } from "@/lib/domain/runs/get-run";
import { readRunEventPage } from "@/lib/domain/runs/read-run-event-page";
import { streamRun } from "@/lib/domain/runs/stream-run";

const startingAfter = z
  .string()
  .regex(/^(-1|\d{1,9})$/, "must be a whole number from -1")
  .transform(Number)
  .default(-1)
  .meta({
    description: "The last sequence number that you have; -1 (the default) for all.",
    override: { type: "integer", minimum: -1, default: -1 },
  });

export const listRunEventsOperation = operation({
  method: "GET",
  path: "/v1/runs/{run_id}/events",
  operationId: "listRunEvents",
  tag: "Runs",
  summary: "Follow or page a run's events",
  description:
    "The stored events after `starting_after`, then live ones until the terminal line, as NDJSON. With `Accept: application/json` one page, oldest first. Kept for 24 hours after the end.",
  params: z.object({ run_id: idField }),
  query: z.object({ starting_after: startingAfter, limit: listQuery.limit }),
  responses: [
    { status: 200, description: "One JSON object a line.", schema: runEventSchema, contentType: "application/x-ndjson" },
    {
      status: 200,
      description: "A page; `next_cursor` is the next `starting_after`.",
      schema: z.object({ data: z.array(runEventSchema), has_more: z.boolean(), next_cursor: z.string().nullable() }),
    },
  ],
  errors: ["INVALID_INPUT", "RUN_NOT_FOUND"],
  async handle({ principal, params, query, request, baseUrl }) {
    const run = await getRun(principal, params.run_id);
    if (!wantsPage(request)) return ndjson(streamRun(run.id, query.starting_after, baseUrl, request.signal));
    const page = await readRunEventPage(run.id, query.starting_after, query.limit, baseUrl);
    const body = `{"data":[${page.lines.join(",")}],"has_more":${page.hasMore},"next_cursor":${JSON.stringify(page.nextCursor)}}`;
    return new Response(body, { status: 200, headers: { "content-type": "application/json; charset=utf-8" } });
  },
});

function wantsPage(request: Request): boolean {
  const accept = request.headers.get("accept") ?? "";
  return /application\/json/i.test(accept) && !/application\/x-ndjson/i.test(accept);
}
