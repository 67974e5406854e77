import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { prisma } from "@/lib/storage/prisma";

/** Ends every session of the signed-in user, this one too, on every device. Keys and runs are not touched. */
export async function endSessions(principal: Principal): Promise<void> {
  const where = { id: principal.userId ?? "", accountId: principal.accountId };
  await prisma().user.updateMany({ where, data: { sessionVersion: { increment: 1 } } });
}
