import "server-only";
import { z } from "zod";
import { type Operation, operation, toList } from "@/lib/api/http/operation";
import {
  EXAMPLE_IDS,
  examplePage,
  idField,
  listOf,
  listQuery,
  nullableTime,
  timeField,
  webhookUrlField,
} from "@/lib/api/schemas/fields";
import {
  deliverySchema,
  EXAMPLE_DELIVERY,
  toDelivery,
} from "@/lib/api/v1/webhooks/delivery-operations";
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointView,
  listEndpoints,
  requireEndpoint,
  rotateEndpointSecret,
  testEndpoint,
  updateEndpoint,
} from "@/lib/domain/events/endpoints";
import {
  ENDPOINT_DESCRIPTION_MAX_CHARACTERS,
  ENDPOINT_FAILING_DAYS,
  ENDPOINTS_MAX,
  EVENT_TYPE_NAMES,
  EVERY_EVENT,
  TEST_EVENT,
} from "@/lib/model/events/event-types";
import { textOf } from "@/lib/model/text-of";

const eventsField = z
  .array(
    z.enum(
      [EVERY_EVENT, ...EVENT_TYPE_NAMES],
      `must be one of ${EVENT_TYPE_NAMES.join(", ")}, or ["*"] for all`,
    ),
  )
  .min(1, 'must name at least one type of event, or be ["*"]')
  .max(EVENT_TYPE_NAMES.length, "names a type twice")
  .refine((types) => new Set(types).size === types.length, "names a type twice")
  .refine(
    (types) => types.length === 1 || !types.includes(EVERY_EVENT),
    '"*" stands for every type: it stands alone',
  )
  .meta({ description: 'Types of events; `["*"]` for all, later ones too.' });
const descriptionField = textOf(ENDPOINT_DESCRIPTION_MAX_CHARACTERS).nullable();

const endpointFields = {
  endpoint_id: idField,
  url: z.string(),
  events: z.array(z.string()),
  description: z.string().nullable(),
  enabled: z.boolean(),
  failing_since: nullableTime.meta({
    description: `Since when nothing has arrived; null while all does. After ${ENDPOINT_FAILING_DAYS} days the endpoint is switched off.`,
  }),
  disabled_at: nullableTime.meta({
    description: "When the service switched it off for its failures.",
  }),
  created_at: timeField,
  updated_at: timeField,
};
const endpointSchema = z.object(endpointFields).meta({ id: "WebhookEndpoint" });
const endpointWithSecretSchema = z
  .object({
    ...endpointFields,
    secret: z.string().meta({ description: "Signs its webhooks; shown this once." }),
  })
  .meta({ id: "WebhookEndpointWithSecret" });

const createBody = z
  .strictObject({
    url: webhookUrlField,
    events: eventsField,
    description: descriptionField.default(null),
    enabled: z.boolean().default(true),
  })
  .meta({ id: "CreateWebhookEndpointRequest" });
const updateBody = z
  .strictObject({
    url: webhookUrlField.optional(),
    events: eventsField.optional(),
    description: descriptionField.optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: "UpdateWebhookEndpointRequest" });
const OVERLAP_DEFAULT_MINUTES = 1_440;
const OVERLAP_MAX_MINUTES = 43_200;
const rotateBody = z
  .strictObject({
    overlap_minutes: z
      .number()
      .int()
      .min(0)
      .max(OVERLAP_MAX_MINUTES)
      .default(OVERLAP_DEFAULT_MINUTES)
      .meta({ description: "How long the secret before signs along; 0 ends it at once." }),
  })
  .meta({ id: "RotateWebhookEndpointSecretRequest" });

const EXAMPLE_ENDPOINT: z.output<typeof endpointSchema> = {
  endpoint_id: EXAMPLE_IDS.endpoint_id,
  url: "https://example.com/hooks/events",
  events: ["run.requires_action", "run.completed"],
  description: "Tells our support desk.",
  enabled: true,
  failing_since: null,
  disabled_at: null,
  created_at: "2026-01-31T09:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
};
const EXAMPLE_WITH_SECRET = {
  ...EXAMPLE_ENDPOINT,
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
};

function toEndpoint(endpoint: EndpointView) {
  return {
    endpoint_id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    description: endpoint.description,
    enabled: endpoint.enabled,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    disabled_at: endpoint.disabledAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}

const COLLECTION = "/v1/webhook-endpoints";
const ITEM = `${COLLECTION}/{endpoint_id}`;
const params = z.object({ endpoint_id: idField });
const tag = "Webhooks";

export const ENDPOINT_OPERATIONS: Operation[] = [
  operation({
    method: "POST",
    path: COLLECTION,
    operationId: "createWebhookEndpoint",
    tag,
    summary: "Create a webhook endpoint",
    description: `Has the account's events of these types sent to an address, signed by Standard Webhooks with a secret of its own: at least once each, under one \`webhook-id\`, tried again like every webhook. The body is \`{id, type, created_at, account_id, data}\`; \`data\` names what happened and never holds an input or a result. At most ${ENDPOINTS_MAX} an account.`,
    hourlyWrite: true,
    body: createBody,
    examples: {
      waiting: {
        url: "https://example.com/hooks/events",
        events: ["run.requires_action", "run.completed"],
      },
    },
    creates: ["webhook_endpoints"],
    responses: [
      {
        status: 201,
        description: "The endpoint, with its secret this once.",
        schema: endpointWithSecretSchema,
        examples: { endpoint: EXAMPLE_WITH_SECRET },
      },
    ],
    errors: ["INVALID_INPUT", "CONFLICT"],
    async handle({ principal, body }) {
      const { endpoint, secret } = await createEndpoint(principal, body);
      return { status: 201, body: { ...toEndpoint(endpoint), secret } };
    },
  }),
  operation({
    method: "GET",
    path: COLLECTION,
    operationId: "listWebhookEndpoints",
    tag,
    summary: "List webhook endpoints",
    description: "Newest first.",
    query: z.object(listQuery),
    responses: [
      {
        status: 200,
        description: "A page of endpoints.",
        schema: listOf(endpointSchema),
        examples: examplePage(EXAMPLE_ENDPOINT),
      },
    ],
    errors: ["INVALID_INPUT"],
    async handle({ principal, query }) {
      return { status: 200, body: toList(await listEndpoints(principal, query), toEndpoint) };
    },
  }),
  operation({
    method: "GET",
    path: ITEM,
    operationId: "getWebhookEndpoint",
    tag,
    summary: "Fetch a webhook endpoint",
    description: "Without its secret.",
    params,
    responses: [
      {
        status: 200,
        description: "The endpoint.",
        schema: endpointSchema,
        examples: { endpoint: EXAMPLE_ENDPOINT },
      },
    ],
    errors: ["INVALID_INPUT", "ENDPOINT_NOT_FOUND"],
    async handle({ principal, params }) {
      return {
        status: 200,
        body: toEndpoint(await requireEndpoint(principal, params.endpoint_id)),
      };
    },
  }),
  operation({
    method: "PATCH",
    path: ITEM,
    operationId: "updateWebhookEndpoint",
    tag,
    summary: "Change a webhook endpoint",
    description:
      "Replaces the fields that are given. What waits to be sent goes to the new address.",
    hourlyWrite: true,
    params,
    body: updateBody,
    examples: { pause: { enabled: false } },
    responses: [
      {
        status: 200,
        description: "The endpoint.",
        schema: endpointSchema,
        examples: { endpoint: EXAMPLE_ENDPOINT },
      },
    ],
    errors: ["INVALID_INPUT", "ENDPOINT_NOT_FOUND"],
    async handle({ principal, params, body }) {
      return {
        status: 200,
        body: toEndpoint(await updateEndpoint(principal, params.endpoint_id, body)),
      };
    },
  }),
  operation({
    method: "DELETE",
    path: ITEM,
    operationId: "deleteWebhookEndpoint",
    tag,
    summary: "Delete a webhook endpoint",
    description: "Ends it. What waits to be sent to it is not sent.",
    hourlyWrite: true,
    params,
    responses: [{ status: 204, description: "Deleted." }],
    errors: ["INVALID_INPUT", "ENDPOINT_NOT_FOUND"],
    async handle({ principal, params }) {
      await deleteEndpoint(principal, params.endpoint_id);
      return { status: 204 };
    },
  }),
  operation({
    method: "POST",
    path: `${ITEM}/rotate-secret`,
    operationId: "rotateWebhookEndpointSecret",
    tag,
    summary: "Rotate a webhook endpoint's secret",
    description:
      "Makes a fresh secret; the one before signs along for a while, so that receivers can change over.",
    hourlyWrite: true,
    params,
    body: rotateBody,
    examples: { day: { overlap_minutes: 1_440 } },
    creates: ["webhook_secrets"],
    responses: [
      {
        status: 200,
        description: "The endpoint, with its fresh secret this once.",
        schema: endpointWithSecretSchema,
        examples: { endpoint: EXAMPLE_WITH_SECRET },
      },
    ],
    errors: ["INVALID_INPUT", "ENDPOINT_NOT_FOUND", "CONFLICT"],
    async handle({ principal, params, body }) {
      const { endpoint, secret } = await rotateEndpointSecret(
        principal,
        params.endpoint_id,
        body.overlap_minutes,
      );
      return { status: 200, body: { ...toEndpoint(endpoint), secret } };
    },
  }),
  operation({
    method: "POST",
    path: `${ITEM}/test`,
    operationId: "testWebhookEndpoint",
    tag,
    summary: "Send a test event",
    description: `Sends an event of the type \`${TEST_EVENT}\` to this endpoint alone; its delivery says what became of it.`,
    hourlyWrite: true,
    params,
    creates: ["nothing"],
    responses: [
      {
        status: 202,
        description: "The delivery, on its way.",
        schema: deliverySchema,
        examples: {
          test: {
            ...EXAMPLE_DELIVERY,
            ...{ run_id: null, status: "pending", attempts: [] },
            endpoint_id: EXAMPLE_IDS.endpoint_id,
            event_id: EXAMPLE_IDS.event_id,
            event_type: TEST_EVENT,
          },
        },
      },
    ],
    errors: ["INVALID_INPUT", "ENDPOINT_NOT_FOUND", "SERVICE_UNAVAILABLE"],
    async handle({ principal, params }) {
      return { status: 202, body: toDelivery(await testEndpoint(principal, params.endpoint_id)) };
    },
  }),
];
