import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { SECRET_VIEW, type SecretView } from "@/lib/domain/secrets/secret-view";
import { ServiceError } from "@/lib/model/errors";
import { prisma } from "@/lib/storage/prisma";

/** A secret of the account, without its value. @throws ServiceError SECRET_NOT_FOUND */
export async function getSecret(principal: Principal, name: string): Promise<SecretView> {
  const where = { accountId_name: { accountId: principal.accountId, name } };
  const secret = await prisma().secret.findUnique({ where, select: SECRET_VIEW });
  if (!secret) throw secretNotFound();
  return secret;
}

export function secretNotFound(): ServiceError {
  return new ServiceError("SECRET_NOT_FOUND", "There is no such secret.");
}
