import "server-only";
import { type KeyView, toKeyView } from "@/lib/domain/keys/key-view";
import { type Page, type PageRequest, readCursor, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { prisma } from "@/lib/storage/prisma";

/** The account's keys, revoked ones too, newest first; of one agent, or all. */
export async function listKeys(principal: Principal, page: PageRequest, agentId: string | null = null): Promise<Page<KeyView>> {
  const before = readCursor(page.cursor);
  const rows = await prisma().apiKey.findMany({
    where: { accountId: principal.accountId, ...(agentId && { agentId }), ...(before && { id: { lt: before } }) },
    orderBy: { id: "desc" },
    take: page.limit + 1,
  });
  return toPage(rows.map(toKeyView), page.limit, (key) => key.id);
}
