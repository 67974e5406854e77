import "server-only";
import { z } from "zod";
import { type Operation, operation } from "@/lib/api/http/operation";
import { nullableTime, timeField } from "@/lib/api/v1/schemas/fields";
import { type SigningSecret, showSigningSecret } from "@/lib/domain/webhooks/read-signing-secret";
import { rotateSigningSecret } from "@/lib/domain/webhooks/rotate-signing-secret";

const secretSchema = z
  .object({ secret: z.string(), created_at: timeField, previous_expires_at: nullableTime })
  .meta({ id: "ConsoleWebhookSecret" });

function toSecret(secret: SigningSecret) {
  return {
    secret: secret.secret,
    created_at: secret.createdAt.toISOString(),
    previous_expires_at: secret.previousExpiresAt?.toISOString() ?? null,
  };
}

const getWebhookSecretOperation = operation({
  method: "GET",
  path: "/api/console/webhook-secret",
  operationId: "showSigningSecret",
  tag: "Console",
  summary: "Show the webhook signing secret",
  description: "The secret that signs the account's webhooks, by Standard Webhooks.",
  auth: "session",
  responses: [{ status: 200, description: "The secret.", schema: secretSchema }],
  errors: [],
  async handle({ principal }) {
    return { status: 200, body: toSecret(await showSigningSecret(principal)) };
  },
});

const rotateWebhookSecretOperation = operation({
  method: "POST",
  path: "/api/console/webhook-secret/rotate",
  operationId: "rotateSigningSecret",
  tag: "Console",
  summary: "Rotate the webhook signing secret",
  description: "Makes a successor; the old secret signs along for `overlap_minutes` more.",
  auth: "session",
  hourlyWrite: true,
  body: z.strictObject({ overlap_minutes: z.number().int().min(0).max(43_200) }),
  creates: ["webhook_secrets"],
  responses: [{ status: 201, description: "The successor.", schema: secretSchema }],
  errors: ["CONFLICT"],
  async handle({ principal, body }) {
    return { status: 201, body: toSecret(await rotateSigningSecret(principal, body.overlap_minutes)) };
  },
});

export const WEBHOOK_SECRET_OPERATIONS: Operation[] = [getWebhookSecretOperation, rotateWebhookSecretOperation];
