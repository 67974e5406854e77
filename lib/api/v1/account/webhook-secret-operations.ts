import "server-only";
import { z } from "zod";
import { type Operation, operation } from "@/lib/api/http/operation";
import { nullableTime, timeField } from "@/lib/api/v1/schemas/fields";
import { type SigningSecret, showSigningSecret } from "@/lib/domain/webhooks/read-signing-secret";
import { rotateSigningSecret } from "@/lib/domain/webhooks/rotate-signing-secret";

const OVERLAP_MAX_MINUTES = 43_200;
const OVERLAP_DEFAULT_MINUTES = 1_440;

const secretSchema = z
  .object({
    webhook_secret: z.string().meta({ description: "`whsec_…`: what a receiver checks signatures with, by Standard Webhooks." }),
    created_at: timeField,
    previous_expires_at: nullableTime.meta({
      description: "Until then the secret before this one signs along; null outside of a rotation.",
    }),
  })
  .meta({ id: "WebhookSecret" });

const EXAMPLE_SECRET: z.output<typeof secretSchema> = {
  webhook_secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
  created_at: "2026-01-31T09:30:00.000Z",
  previous_expires_at: null,
};

function toSecret({ secret, createdAt, previousExpiresAt }: SigningSecret): z.output<typeof secretSchema> {
  return {
    webhook_secret: secret,
    created_at: createdAt.toISOString(),
    previous_expires_at: previousExpiresAt?.toISOString() ?? null,
  };
}

const getAccountWebhookSecretOperation = operation({
  method: "GET",
  path: "/v1/account/webhook-secret",
  operationId: "getWebhookSecret",
  tag: "Webhooks",
  summary: "The signing secret",
  description:
    "The secret that signs the account's webhooks. It is made when it is first asked for, or when the first webhook is sent; who asks is noted in the audit log.",
  responses: [{ status: 200, description: "The secret.", schema: secretSchema, examples: { secret: EXAMPLE_SECRET } }],
  errors: [],
  async handle({ principal }) {
    return { status: 200, body: toSecret(await showSigningSecret(principal)) };
  },
});

const rotateAccountWebhookSecretOperation = operation({
  method: "POST",
  path: "/v1/account/webhook-secret/rotate",
  operationId: "rotateWebhookSecret",
  tag: "Webhooks",
  summary: "Rotate the signing secret",
  description:
    "Makes a fresh secret. During the overlap webhooks carry a signature of each, so that receivers can change over one by one; 0 ends the old secret at once.",
  body: z.strictObject({
    overlap_minutes: z
      .number()
      .int("must be a whole number of minutes")
      .min(0, `must be 0 to ${OVERLAP_MAX_MINUTES}`)
      .max(OVERLAP_MAX_MINUTES, `must be 0 to ${OVERLAP_MAX_MINUTES}`)
      .default(OVERLAP_DEFAULT_MINUTES)
      .meta({ description: "Minutes for which the secret before signs along." }),
  }),
  bodyOptional: true,
  hourlyWrite: true,
  examples: { overlap: { overlap_minutes: 60 } },
  responses: [
    {
      status: 200,
      description: "The fresh secret.",
      schema: secretSchema,
      examples: { rotated: { ...EXAMPLE_SECRET, previous_expires_at: "2026-01-31T10:30:00.000Z" } },
    },
  ],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body }) {
    return { status: 200, body: toSecret(await rotateSigningSecret(principal, body.overlap_minutes)) };
  },
});

export const WEBHOOK_SECRET_OPERATIONS: Operation[] = [getAccountWebhookSecretOperation, rotateAccountWebhookSecretOperation];
