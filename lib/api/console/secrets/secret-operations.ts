import "server-only";
import { z } from "zod";
import { type Operation, operation } from "@/lib/api/http/operation";
import { idField, nullableTime, timeField } from "@/lib/api/schemas/fields";
import { listSecretUses } from "@/lib/domain/secrets/list-secret-uses";
import { rotateSigningSecret, type SigningSecret, showSigningSecret } from "@/lib/domain/webhooks/signing-secret";

const useSchema = z
  .object({ secret_name: z.string(), agent_id: idField, agent_name: z.string(), hosts: z.array(z.string()) })
  .meta({ id: "SecretUse" });

export const listSecretUsesOperation = operation({
  method: "GET",
  path: "/api/console/secret-uses",
  operationId: "listSecretUses",
  tag: "Console",
  summary: "List where secrets are used",
  description: "Each active agent whose connectors name a secret, and the hosts that they lead to.",
  auth: "session",
  responses: [{ status: 200, description: "The uses.", schema: z.object({ data: z.array(useSchema) }) }],
  errors: [],
  async handle({ principal }) {
    const uses = await listSecretUses(principal);
    return {
      status: 200,
      body: { data: uses.map((use) => ({ secret_name: use.name, agent_id: use.agentId, agent_name: use.agentName, hosts: use.hosts })) },
    };
  },
});

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
