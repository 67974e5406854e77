import "server-only";
import { z } from "zod";
import { operation, toList } from "@/lib/api/http/operation";
import { idField, listOf, listQuery, nullableTime, timeField } from "@/lib/api/schemas/fields";
import { findKeyVersion } from "@/lib/domain/agents/get-agent-version";
import { createKey } from "@/lib/domain/keys/create-key";
import { type KeyView, listKeys } from "@/lib/domain/keys/key-view";
import { revokeKey } from "@/lib/domain/keys/revoke-key";
import { rotateKey } from "@/lib/domain/keys/rotate-key";
import { versionField } from "@/lib/model/fields/shared-fields";

const keySchema = z
  .object({
    key_id: idField,
    name: z.string(),
    kind: z.enum(["account", "app"]),
    agent_id: idField.nullable(),
    agent_version: z.number().int().nullable(),
    prefix: z.string(),
    last_four: z.string(),
    created_at: timeField,
    last_used_at: nullableTime,
    expires_at: nullableTime,
    revoked_at: nullableTime,
  })
  .meta({ id: "ApiKey" });

const createdKeySchema = keySchema.extend({ api_key: z.string() }).meta({ id: "CreatedApiKey" });

function toKey(key: KeyView) {
  return {
    key_id: key.id,
    name: key.name,
    kind: key.kind,
    agent_id: key.agentId,
    agent_version: key.agentVersion,
    prefix: key.prefix,
    last_four: key.lastFour,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

const DAY_MS = 24 * 3600 * 1000;

const listKeysOperation = operation({
  method: "GET",
  path: "/api/console/keys",
  operationId: "listKeys",
  tag: "Console",
  summary: "List keys",
  description: "The account's keys without their secrets.",
  auth: "session",
  query: z.object({
    ...listQuery,
    agent_id: idField.optional().meta({ description: "Only the app keys of this agent." }),
  }),
  responses: [{ status: 200, description: "A page of keys.", schema: listOf(keySchema) }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    return {
      status: 200,
      body: toList(await listKeys(principal, query, query.agent_id ?? null), toKey),
    };
  },
});

const createKeyOperation = operation({
  method: "POST",
  path: "/api/console/keys",
  operationId: "createKey",
  tag: "Console",
  summary: "Create a key",
  description: "The key's text is in this answer and never shown again.",
  auth: "session",
  body: z.strictObject({
    name: z.string().trim().min(1, "must have 1 to 255 characters").max(255),
    agent_id: idField.nullable().optional(),
    version: versionField.nullable().optional(),
    expires_in_days: z.number().int().min(1).max(3650).nullable().optional(),
  }),
  creates: ["keys", "app_keys"],
  responses: [{ status: 201, description: "The key.", schema: createdKeySchema }],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "VERSION_NOT_FOUND", "CONFLICT"],
  async handle({ principal, body }) {
    const expiresAt = body.expires_in_days
      ? new Date(Date.now() + body.expires_in_days * DAY_MS)
      : null;
    const { agent_id: agentId = null, version = null } = body;
    const key = await createKey(principal, {
      name: body.name,
      agentId,
      agentVersion: await findKeyVersion(principal, agentId, version),
      expiresAt,
    });
    return { status: 201, body: { ...toKey(key), api_key: key.apiKey } };
  },
});

const revokeKeyOperation = operation({
  method: "POST",
  path: "/api/console/keys/{key_id}/revoke",
  operationId: "revokeKey",
  tag: "Console",
  summary: "Revoke a key",
  description: "The key stops working at once.",
  auth: "session",
  params: z.object({ key_id: idField }),
  responses: [{ status: 200, description: "The key.", schema: keySchema }],
  errors: ["INVALID_INPUT", "NOT_FOUND"],
  async handle({ principal, params }) {
    return { status: 200, body: toKey(await revokeKey(principal, params.key_id)) };
  },
});

const rotateKeyOperation = operation({
  method: "POST",
  path: "/api/console/keys/{key_id}/rotate",
  operationId: "rotateKey",
  tag: "Console",
  summary: "Rotate a key",
  description: "Makes a successor; the old key works `overlap_minutes` longer.",
  auth: "session",
  params: z.object({ key_id: idField }),
  body: z.strictObject({ overlap_minutes: z.number().int().min(0).max(43_200) }),
  creates: ["keys", "app_keys"],
  responses: [{ status: 201, description: "The successor.", schema: createdKeySchema }],
  errors: ["INVALID_INPUT", "NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }) {
    const key = await rotateKey(principal, params.key_id, body.overlap_minutes);
    return { status: 201, body: { ...toKey(key), api_key: key.apiKey } };
  },
});

export const KEY_OPERATIONS = [
  listKeysOperation,
  createKeyOperation,
  revokeKeyOperation,
  rotateKeyOperation,
];
