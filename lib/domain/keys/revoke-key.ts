import "server-only";
import { systemPrincipal } from "@/lib/domain/account/system-principal";
import { type KeyView, toKeyView } from "@/lib/domain/keys/key-view";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { prisma } from "@/lib/storage/prisma";

/** Ends a key at once, on every instance (each request reads the key's row). Again: nothing changes. @throws ServiceError NOT_FOUND */
export async function revokeKey(principal: Principal, keyId: string): Promise<KeyView> {
  await prisma().apiKey.updateMany({
    where: { id: keyId, accountId: principal.accountId, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  const row = await prisma().apiKey.findFirst({ where: { id: keyId, accountId: principal.accountId } });
  if (!row) throw new ServiceError("NOT_FOUND", "There is no such key.");
  return toKeyView(row);
}

/** The operator ends any account's key. @throws ServiceError NOT_FOUND */
export async function revokeKeyAsOperator(keyId: string): Promise<KeyView> {
  const key = await prisma().apiKey.findUnique({ where: { id: keyId } });
  if (!key) throw new ServiceError("NOT_FOUND", "There is no such key.");
  return revokeKey(systemPrincipal(key.accountId), keyId);
}
