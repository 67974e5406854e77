import "server-only";
import { systemPrincipal } from "@/lib/domain/account/system-principal";
import { operatorActor } from "@/lib/domain/audit/operator-actor";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { prisma } from "@/lib/storage/prisma";

/** An account as the operator acts for it. @throws ServiceError NOT_FOUND */
export async function findPrincipalByEmail(email: string): Promise<Principal> {
  const user = await prisma().user.findUnique({ where: { email: email.trim().toLowerCase() } });
  if (!user) throw new ServiceError("NOT_FOUND", `No account has the e-mail address ${email}.`);
  return { ...systemPrincipal(user.accountId), userId: user.id, actor: operatorActor() };
}
