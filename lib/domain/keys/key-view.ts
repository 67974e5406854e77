import "server-only";
import type { ApiKey } from "@/lib/storage/generated/client";

/** A key without its secret. */
export interface KeyView {
  id: string;
  name: string;
  kind: "account" | "app";
  agentId: string | null;
  prefix: string;
  lastFour: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

export function toKeyView(row: ApiKey): KeyView {
  return {
    id: row.id,
    name: row.name,
    kind: row.agentId ? "app" : "account",
    agentId: row.agentId,
    prefix: row.prefix,
    lastFour: row.lastFour,
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
  };
}
