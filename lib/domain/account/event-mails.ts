import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { prisma } from "@/lib/storage/prisma";

/** Whether the signed-in user is mailed what happens in the account. */
export async function wantsEventMails(principal: Principal): Promise<boolean> {
  const row = await prisma().user.findFirst({
    where: own(principal),
    select: { eventMails: true },
  });
  return row?.eventMails ?? true;
}

/** Switches the signed-in user's mails of what happens in the account on or off. */
export async function setEventMails(principal: Principal, wanted: boolean): Promise<void> {
  await prisma().user.updateMany({ where: own(principal), data: { eventMails: wanted } });
}

function own(principal: Principal) {
  return { id: principal.userId ?? "", accountId: principal.accountId };
}
