import "server-only";
import { z } from "zod";
import { NDJSON_HEADERS, ndjson, type Operation, operation } from "@/lib/api/http/operation";
import { asksFor } from "@/lib/api/http/request";
import { EXAMPLE_IDS, idField, listQuery, timeField } from "@/lib/api/schemas/fields";
import { followEvents } from "@/lib/domain/events/follow-events";
import { type AccountEventView, readEvents } from "@/lib/domain/events/read-events";
import { openStream } from "@/lib/domain/runs/open-stream";
import { EVENT_TYPE_NAMES, type EventType } from "@/lib/model/events/event-types";

const eventSchema = z
  .object({
    sequence: z.number().int().meta({ description: "Its number in the account's feed." }),
    id: idField.meta({ description: "The `webhook-id` under which endpoints are sent it." }),
    type: z.enum(EVENT_TYPE_NAMES),
    created_at: timeField,
    account_id: idField,
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: "What happened, by ids and states; never an input or a result." }),
  })
  .meta({ id: "AccountEvent" });

const eventPageSchema = z
  .object({
    data: z.array(eventSchema),
    has_more: z.boolean(),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: "The next `starting_after`; null for an empty page." }),
  })
  .meta({ id: "AccountEventPage" });

const EXAMPLE_EVENT: z.output<typeof eventSchema> = {
  sequence: 42,
  id: EXAMPLE_IDS.event_id,
  type: "run.requires_action",
  created_at: "2026-01-31T09:30:00.000Z",
  account_id: EXAMPLE_IDS.account_id,
  data: {
    run_id: EXAMPLE_IDS.run_id,
    kind: "agent",
    agent_id: EXAMPLE_IDS.agent_id,
    conversation_id: EXAMPLE_IDS.conversation_id,
    status: "running",
    requires_action: { type: "approval", approval_id: EXAMPLE_IDS.approval_id },
  },
};

const query = z.object({
  starting_after: z
    .string()
    .regex(/^(-1|\d{1,15})$/, "must be a whole number from -1")
    .transform(Number)
    .default(0)
    .meta({
      description:
        "The last `sequence` that you have; 0 (the default), and -1 as of a run's events, from " +
        "the oldest kept.",
      examples: [41],
      override: { type: "integer", minimum: -1, default: 0, pattern: undefined },
    }),
  types: z
    .string()
    .max(1_000)
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(EVENT_TYPE_NAMES, `must be of ${EVENT_TYPE_NAMES.join(", ")}`)).min(1))
    .optional()
    .meta({
      description: "Only events of these types, with commas between them.",
      examples: ["run.requires_action,run.failed"],
      override: { type: "string", maxLength: 1_000, items: undefined, minItems: undefined },
    }),
  limit: listQuery.limit,
});

export const EVENT_OPERATIONS: Operation[] = [
  operation({
    method: "GET",
    path: "/v1/events",
    operationId: "listEvents",
    tag: "Webhooks",
    summary: "Page or follow the account's events",
    description:
      "For those without a public address: the same events that webhook endpoints are sent, " +
      "oldest first, as a page; with `Accept: application/x-ndjson` as a stream that goes on, " +
      "with a `ping` after 10 s of silence, until you leave or your key is revoked or expires. " +
      "Both resume behind the last `sequence` that you have. Kept for 30 days.",
    query,
    responses: [
      {
        status: 200,
        description: "A page; `next_cursor` is the next `starting_after`.",
        schema: eventPageSchema,
        examples: { page: { data: [EXAMPLE_EVENT], has_more: false, next_cursor: "42" } },
      },
      {
        status: 200,
        description: "One JSON object a line.",
        schema: eventSchema,
        contentType: "application/x-ndjson",
        headers: NDJSON_HEADERS,
        examples: { event: EXAMPLE_EVENT },
      },
    ],
    errors: ["INVALID_INPUT", "RATE_LIMITED"],
    async handle({ principal, query, request }) {
      const types: readonly EventType[] | null = query.types ?? null;
      const toEvent = (event: AccountEventView) => ({
        sequence: Number(event.sequence),
        id: event.id,
        type: event.type,
        created_at: event.createdAt.toISOString(),
        account_id: principal.accountId,
        data: event.data,
      });
      if (asksFor(request, "application/x-ndjson"))
        return ndjson(
          await openStream(principal, async (ended) =>
            followEvents(principal, query.starting_after, types, toEvent, ended),
          ),
        );
      const events = await readEvents(principal, query.starting_after, types, query.limit + 1);
      const page = events.slice(0, query.limit).map(toEvent);
      return {
        status: 200,
        body: {
          data: page,
          has_more: events.length > page.length,
          next_cursor: page.length > 0 ? String(page.at(-1)?.sequence) : null,
        },
      };
    },
  }),
];
