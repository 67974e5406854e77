import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { SECRET_VIEW, type SecretView, toSecretView } from "@/lib/domain/secrets/secret-view";
import { prisma } from "@/lib/storage/prisma";

/** The account's secrets, or those of a person of its own, newest first, without their values. */
export async function listSecrets(
  principal: Principal,
  page: PageRequest,
  endUser: string | null = null,
): Promise<Page<SecretView>> {
  const before = readCursor(page.cursor);
  const rows = await prisma().secret.findMany({
    where: { accountId: principal.accountId, endUser, ...(before && { id: { lt: before } }) },
    select: { id: true, ...SECRET_VIEW },
    orderBy: { id: "desc" },
    take: rowsToRead(page),
  });
  const { data, nextCursor } = toPage(rows, page.limit, (row) => row.id);
  return { data: data.map(toSecretView), nextCursor };
}
