import "server-only";
import { z } from "zod";
import { camelCaseSchemas, inCamelCase } from "@/lib/api/apps/camel-case";
import { NDJSON_HEADERS, ndjson, operation } from "@/lib/api/http/operation";
import { appRunResultSchema, appUsageSchema } from "@/lib/api/schemas/app-run-schemas";
import { runEventSchema, startingAfter, wantsPage } from "@/lib/api/schemas/event-schemas";
import { idField, listQuery } from "@/lib/api/schemas/fields";
import { EXAMPLE_EVENTS } from "@/lib/api/schemas/run-examples";
import { APP_RUN_KINDS, requireApp } from "@/lib/domain/apps/require-app";
import type { Principal } from "@/lib/domain/principal";
import { openStream } from "@/lib/domain/runs/open-stream";
import { readRunEventPage } from "@/lib/domain/runs/read-run-event-page";
import { getRun } from "@/lib/domain/runs/run-view";
import { streamRun } from "@/lib/domain/runs/stream-run";
import { runResultSchema, usageSchema } from "@/lib/model/run/run-result-schemas";

const toAppSchema = camelCaseSchemas([
  [runResultSchema, appRunResultSchema],
  [usageSchema, appUsageSchema],
]);
const appRunEventSchema = toAppSchema(runEventSchema);
const appRunEventPageSchema = z
  .object({
    data: z.array(appRunEventSchema).meta({ description: "Oldest first." }),
    hasMore: z.boolean(),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: "The next `startingAfter`; null when there is nothing more." }),
  })
  .meta({ id: "AppRunEventPage" });

const EXAMPLES = {
  created: inCamelCase(EXAMPLE_EVENTS.created),
  message: inCamelCase(EXAMPLE_EVENTS.message),
  completed: inCamelCase(EXAMPLE_EVENTS.completed),
};

/** Following a run from a page, or from a backend that has an app key alone. */
export const listAppRunEventsOperation = operation({
  method: "GET",
  path: "/api/v1/apps/{appId}/runs/{runId}/events",
  operationId: "listAppRunEvents",
  tag: "App-scoped path",
  summary: "Follow or page a run's events",
  description:
    "The stored events after `startingAfter`, then live ones until the terminal line, as " +
    "NDJSON, in camelCase. With `Accept: application/json` one page, oldest first. Kept for " +
    "24 hours after the end. A stream ends earlier where its key is revoked or expires, and " +
    "one that was opened with a client token when the token does: go on with the next one " +
    "after the last number.",
  auth: "app",
  params: z.object({ appId: idField, runId: idField }),
  query: z.object({ startingAfter, limit: listQuery.limit }),
  responses: [
    {
      status: 200,
      description: "One JSON object a line.",
      schema: appRunEventSchema,
      contentType: "application/x-ndjson",
      headers: NDJSON_HEADERS,
      examples: EXAMPLES,
    },
    {
      status: 200,
      description: "A page; `nextCursor` is the next `startingAfter`.",
      schema: appRunEventPageSchema,
      examples: {
        page: { data: [EXAMPLES.created, EXAMPLES.message], hasMore: true, nextCursor: "1" },
      },
    },
  ],
  errors: ["INVALID_INPUT", "APP_NOT_FOUND", "RUN_NOT_FOUND"],
  async handle({ principal, params, query, request, baseUrl }) {
    requireApp(principal, params.appId, "read");
    const run = await getRun(principal, params.runId, APP_RUN_KINDS);
    if (!wantsPage(request)) {
      const signal = whileLetIn(principal, request.signal);
      return ndjson(
        await openStream(principal, async () =>
          linesInCamelCase(streamRun(run, query.startingAfter, baseUrl, signal)),
        ),
      );
    }
    const page = await readRunEventPage(run, query.startingAfter, query.limit, baseUrl);
    const data = page.lines.map((line) => inCamelCase(JSON.parse(line)));
    return {
      status: 200,
      body: { data, hasMore: page.hasMore, nextCursor: page.nextCursor },
    };
  },
});

/** A stream goes on no longer than the token that opened it. */
function whileLetIn({ client }: Principal, signal: AbortSignal): AbortSignal {
  if (!client) return signal;
  const left = Math.max(0, client.expiresAt.getTime() - Date.now());
  return AbortSignal.any([signal, AbortSignal.timeout(left)]);
}

/** Some lines at a time, as they come; no generator, which would end only with its next line. */
function linesInCamelCase(texts: AsyncIterableIterator<string>): AsyncIterableIterator<string> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const next = await texts.next();
      return next.done ? next : { done: false, value: textInCamelCase(next.value) };
    },
    async return() {
      await texts.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** Whole lines, each a JSON object of ours. */
function textInCamelCase(text: string): string {
  return text.replace(/.+/g, (line) => JSON.stringify(inCamelCase(JSON.parse(line))));
}
