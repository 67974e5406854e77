import "server-only";
import { createKey } from "@/lib/domain/keys/create-key";
import type { KeyView } from "@/lib/domain/keys/key-view";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { prisma } from "@/lib/storage/prisma";

/**
 * Makes a successor of a key and lets the old one live `overlapMinutes` longer (0: it ends now).
 * @throws ServiceError NOT_FOUND; CONFLICT when the key was revoked
 */
export async function rotateKey(principal: Principal, keyId: string, overlapMinutes: number): Promise<KeyView & { apiKey: string }> {
  const old = await prisma().apiKey.findFirst({ where: { id: keyId, accountId: principal.accountId } });
  if (!old) throw new ServiceError("NOT_FOUND", "There is no such key.");
  if (old.revokedAt) throw new ServiceError("CONFLICT", "This key was revoked: create a key instead.");
  const made = await createKey(principal, { name: old.name, agentId: old.agentId, expiresAt: old.expiresAt });
  const end = new Date(Date.now() + overlapMinutes * 60_000);
  if (!old.expiresAt || old.expiresAt > end) await prisma().apiKey.update({ where: { id: old.id }, data: { expiresAt: end } });
  return made;
}
