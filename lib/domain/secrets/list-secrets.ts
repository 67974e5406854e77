import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { SECRET_VIEW, type SecretView } from "@/lib/domain/secrets/secret-view";
import { prisma } from "@/lib/storage/prisma";

/** The account's secrets, newest first, without their values. */
export async function listSecrets(
  principal: Principal,
  page: PageRequest,
): Promise<Page<SecretView>> {
  const before = readCursor(page.cursor);
  const rows = await prisma().secret.findMany({
    where: { accountId: principal.accountId, ...(before && { id: { lt: before } }) },
    select: { id: true, ...SECRET_VIEW },
    orderBy: { id: "desc" },
    take: rowsToRead(page),
  });
  return toPage(rows, page.limit, (row) => row.id);
}
