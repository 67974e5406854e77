import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import type { ApiKey } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/** A key without its secret. */
export interface KeyView {
  id: string;
  name: string;
  kind: "account" | "app";
  agentId: string | null;
  /** The number of the version that its runs keep to. */
  agentVersion: number | null;
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
    agentVersion: row.agentVersion,
    prefix: row.prefix,
    lastFour: row.lastFour,
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
  };
}

/** The account's keys, revoked ones too, newest first; of one agent, or all. */
export async function listKeys(
  principal: Principal,
  page: PageRequest,
  agentId: string | null = null,
): Promise<Page<KeyView>> {
  const before = readCursor(page.cursor);
  const rows = await prisma().apiKey.findMany({
    where: {
      accountId: principal.accountId,
      ...(agentId && { agentId }),
      ...(before && { id: { lt: before } }),
    },
    orderBy: { id: "desc" },
    take: rowsToRead(page),
  });
  return toPage(rows.map(toKeyView), page.limit, (key) => key.id);
}
