import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { prisma } from "@/lib/storage/prisma";

/** Changes how the signed-in user is called in the console. */
export async function renameUser(principal: Principal, name: string): Promise<void> {
  await prisma().user.updateMany({
    where: { id: principal.userId ?? "", accountId: principal.accountId },
    data: { name },
  });
}
