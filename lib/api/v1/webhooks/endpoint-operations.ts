import "server-only";
import { z } from "zod";
import { type Operation, operation, toList } from "@/lib/api/http/operation";
import { EXAMPLE_IDS, examplePage, idField, listOf, listQuery } from "@/lib/api/schemas/fields";
import { wireOf } from "@/lib/api/schemas/noun-wire";
import {
  deliverySchema,
  EXAMPLE_DELIVERY,
  toDelivery,
} from "@/lib/api/v1/webhooks/delivery-operations";
import {
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  requireEndpoint,
  rotateEndpointSecret,
  testEndpoint,
  updateEndpoint,
} from "@/lib/domain/events/endpoints";
import { ENDPOINT_FIELDS } from "@/lib/model/events/endpoint-fields";
import { ENDPOINTS_MAX, TEST_EVENT } from "@/lib/model/events/event-types";

const WIRE = wireOf(ENDPOINT_FIELDS);
const endpointSchema = z.object(WIRE.shown).meta({ id: "WebhookEndpoint" });
const endpointWithSecretSchema = z
  .object({
    ...WIRE.shown,
    secret: z.string().meta({ description: "Signs its webhooks; shown this once." }),
  })
  .meta({ id: "WebhookEndpointWithSecret" });

const createBody = z.strictObject(WIRE.defaulted).meta({ id: "CreateWebhookEndpointRequest" });
const updateBody = z.strictObject(WIRE.changes).meta({ id: "UpdateWebhookEndpointRequest" });
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

const EXAMPLE_WITH_SECRET = {
  ...WIRE.example,
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
};

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
    description:
      "Has the account's events of these types sent to an address, signed by Standard Webhooks " +
      "with a secret of its own: at least once each, under one `webhook-id`, tried again like " +
      "every webhook. The body is `{id, type, created_at, account_id, data}`; `data` names what " +
      `happened and never holds an input or a result. At most ${ENDPOINTS_MAX} an account.`,
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
      const { endpoint, secret } = await createEndpoint(principal, WIRE.fromBody(body));
      return { status: 201, body: { ...WIRE.toWire(endpoint), secret } };
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
        examples: examplePage(WIRE.example),
      },
    ],
    errors: ["INVALID_INPUT"],
    async handle({ principal, query }) {
      return { status: 200, body: toList(await listEndpoints(principal, query), WIRE.toWire) };
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
        examples: { endpoint: WIRE.example },
      },
    ],
    errors: ["INVALID_INPUT", "ENDPOINT_NOT_FOUND"],
    async handle({ principal, params }) {
      return {
        status: 200,
        body: WIRE.toWire(await requireEndpoint(principal, params.endpoint_id)),
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
        examples: { endpoint: WIRE.example },
      },
    ],
    errors: ["INVALID_INPUT", "ENDPOINT_NOT_FOUND"],
    async handle({ principal, params, body }) {
      return {
        status: 200,
        body: WIRE.toWire(
          await updateEndpoint(principal, params.endpoint_id, WIRE.fromChanges(body)),
        ),
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
      "Makes a fresh secret; the one before signs along for a while, so that receivers can " +
      "change over.",
    hourlyWrite: true,
    params,
    body: rotateBody,
    bodyOptional: true,
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
      return { status: 200, body: { ...WIRE.toWire(endpoint), secret } };
    },
  }),
  operation({
    method: "POST",
    path: `${ITEM}/test`,
    operationId: "testWebhookEndpoint",
    tag,
    summary: "Send a test event",
    description:
      `Sends an event of the type \`${TEST_EVENT}\` to this endpoint alone; its delivery says ` +
      "what became of it.",
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
