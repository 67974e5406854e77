import "server-only";
import { type Page, type PageRequest, readCursor, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import type { Notification } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

export async function listNotifications(principal: Principal, page: PageRequest): Promise<Page<Notification>> {
  const before = readCursor(page.cursor);
  const rows = await prisma().notification.findMany({
    where: { accountId: principal.accountId, ...(before && { id: { lt: before } }) },
    orderBy: { id: "desc" },
    take: page.limit + 1,
  });
  return toPage(rows, page.limit, (row) => row.id);
}
