import "server-only";
import { z } from "zod";
import { type Operation, operation, toList } from "@/lib/api/http/operation";
import {
  EXAMPLE_IDS,
  examplePage,
  idField,
  listOf,
  listQuery,
  timeField,
} from "@/lib/api/schemas/fields";
import {
  DELIVERY_STATUSES,
  type DeliveryView,
  requireDelivery,
} from "@/lib/domain/webhooks/deliveries";
import { listDeliveries } from "@/lib/domain/webhooks/list-deliveries";
import { redeliver } from "@/lib/domain/webhooks/redeliver";

const attemptSchema = z.object({
  attempt: z.number().int(),
  at: timeField,
  status_code: z.number().int().nullable().meta({ description: "Null when there was no answer." }),
  duration_ms: z.number().int(),
  error: z.string().nullable(),
  response_body: z.string().nullable().meta({ description: "The answer's first 2 KiB." }),
});

export const deliverySchema = z
  .object({
    delivery_id: idField,
    run_id: idField.nullable().meta({ description: "Null where its event is of no run." }),
    endpoint_id: idField
      .nullable()
      .meta({ description: "The webhook endpoint; null for a run's own `webhook_url`." }),
    event_id: idField
      .nullable()
      .meta({ description: "The event that it carries, which is its `webhook-id`." }),
    event_type: z.string().nullable(),
    url: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.array(attemptSchema).meta({ description: "Oldest first; the latest hundred." }),
    created_at: timeField,
  })
  .meta({ id: "WebhookDelivery" });

export const EXAMPLE_DELIVERY: z.output<typeof deliverySchema> = {
  delivery_id: EXAMPLE_IDS.delivery_id,
  run_id: EXAMPLE_IDS.run_id,
  endpoint_id: null,
  event_id: null,
  event_type: null,
  url: "https://example.com/hooks/runs",
  status: "delivered",
  attempts: [
    {
      attempt: 1,
      at: "2026-01-31T09:30:04.300Z",
      status_code: 204,
      duration_ms: 91,
      error: null,
      response_body: "",
    },
  ],
  created_at: "2026-01-31T09:30:04.250Z",
};

export function toDelivery(delivery: DeliveryView) {
  return {
    delivery_id: delivery.id,
    run_id: delivery.runId,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    url: delivery.url,
    status: delivery.status,
    attempts: delivery.attempts.map((attempt) => ({
      attempt: attempt.attempt,
      at: attempt.at.toISOString(),
      status_code: attempt.statusCode,
      duration_ms: attempt.durationMs,
      error: attempt.error,
      response_body: attempt.responseBody,
    })),
    created_at: delivery.createdAt.toISOString(),
  };
}

const listDeliveriesOperation = operation({
  method: "GET",
  path: "/v1/webhook-deliveries",
  operationId: "listWebhookDeliveries",
  tag: "Webhooks",
  summary: "List webhook deliveries",
  description:
    "What was sent to the webhooks of the account's runs, or to one of its webhook endpoints " +
    "(`endpoint_id`), newest first, with every attempt.",
  query: z.object({
    ...listQuery,
    run_id: idField.optional().meta({ description: "Only this run's." }),
    endpoint_id: idField.optional().meta({ description: "Only what went to this endpoint." }),
    status: z
      .enum(DELIVERY_STATUSES, `must be one of ${DELIVERY_STATUSES.join(", ")}`)
      .optional()
      .meta({ description: "Only deliveries in this state.", examples: ["delivered"] }),
  }),
  responses: [
    {
      status: 200,
      description: "A page of deliveries.",
      schema: listOf(deliverySchema),
      examples: examplePage(EXAMPLE_DELIVERY),
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    const page = await listDeliveries(principal, query, {
      runId: query.run_id ?? null,
      endpointId: query.endpoint_id ?? null,
      status: query.status ?? null,
    });
    return { status: 200, body: toList(page, toDelivery) };
  },
});

const getDeliveryOperation = operation({
  method: "GET",
  path: "/v1/webhook-deliveries/{delivery_id}",
  operationId: "getWebhookDelivery",
  tag: "Webhooks",
  summary: "Fetch a webhook delivery",
  description: "A delivery with its attempts.",
  params: z.object({ delivery_id: idField }),
  responses: [
    {
      status: 200,
      description: "The delivery.",
      schema: deliverySchema,
      examples: { delivery: EXAMPLE_DELIVERY },
    },
  ],
  errors: ["INVALID_INPUT", "DELIVERY_NOT_FOUND"],
  async handle({ principal, params }) {
    return { status: 200, body: toDelivery(await requireDelivery(principal, params.delivery_id)) };
  },
});

const redeliverOperation = operation({
  method: "POST",
  path: "/v1/webhook-deliveries/{delivery_id}/redeliver",
  operationId: "redeliverWebhook",
  tag: "Webhooks",
  summary: "Send a webhook again",
  description:
    "Sends it at once, with attempts of its own, whatever became of it before. The " +
    "`webhook-id` stays the same. What went to an endpoint that is deleted cannot be sent " +
    "again.",
  params: z.object({ delivery_id: idField }),
  creates: ["nothing"],
  responses: [
    {
      status: 202,
      description: "The delivery, pending again.",
      schema: deliverySchema,
      examples: { again: { ...EXAMPLE_DELIVERY, status: "pending" } },
    },
  ],
  errors: ["INVALID_INPUT", "DELIVERY_NOT_FOUND", "ENDPOINT_NOT_FOUND", "SERVICE_UNAVAILABLE"],
  async handle({ principal, params }) {
    return { status: 202, body: toDelivery(await redeliver(principal, params.delivery_id)) };
  },
});

export const DELIVERY_OPERATIONS: Operation[] = [
  listDeliveriesOperation,
  getDeliveryOperation,
  redeliverOperation,
];
