import "server-only";
import { z } from "zod";
import { idField, nullableTime, timeField } from "@/lib/api/v1/schemas/fields";
import type { KeyView } from "@/lib/domain/keys/key-view";

export const keySchema = z.object({
  key_id: idField,
  name: z.string(),
  kind: z.enum(["account", "app"]),
  agent_id: idField.nullable(),
  prefix: z.string(),
  last_four: z.string(),
  created_at: timeField,
  last_used_at: nullableTime,
  expires_at: nullableTime,
  revoked_at: nullableTime,
});

export const createdKeySchema = keySchema.extend({ api_key: z.string() });

export function toKey(key: KeyView) {
  return {
    key_id: key.id,
    name: key.name,
    kind: key.kind,
    agent_id: key.agentId,
    prefix: key.prefix,
    last_four: key.lastFour,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
