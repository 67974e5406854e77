import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { type KeyView, toKeyView } from "@/lib/domain/keys/key-view";
import { operatorActor, type Principal, systemPrincipal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { type Transaction, transaction } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

/**
 * Ends a key at once, on every instance (each request reads the key's row). Again: nothing changes.
 * @throws ServiceError NOT_FOUND
 */
export async function revokeKey(principal: Principal, keyId: string): Promise<KeyView> {
  await transaction(async (tx) => {
    const { rows } = await tx.query<RevokedKey>(`${REVOKE} AND id = $2 ${REVOKED}`, [
      principal.accountId,
      keyId,
    ]);
    await recordRevoked(tx, principal, rows);
  });
  const row = await prisma().apiKey.findFirst({
    where: { id: keyId, accountId: principal.accountId },
  });
  if (!row) throw new ServiceError("NOT_FOUND", "There is no such key.");
  return toKeyView(row);
}

/** Ends every key of the account, app keys too. */
export async function revokeAllKeys(tx: Transaction, principal: Principal): Promise<void> {
  const { rows } = await tx.query<RevokedKey>(`${REVOKE} ${REVOKED}`, [principal.accountId]);
  await recordRevoked(tx, principal, rows);
}

/** Ends every app key of an agent, in the transaction that archives it. */
export async function revokeKeysOfAgent(
  tx: Transaction,
  principal: Principal,
  agentId: string,
): Promise<void> {
  const { rows } = await tx.query<RevokedKey>(`${REVOKE} AND agent_id = $2 ${REVOKED}`, [
    principal.accountId,
    agentId,
  ]);
  await recordRevoked(tx, principal, rows);
}

interface RevokedKey {
  id: string;
  label: string;
}

const REVOKE =
  "UPDATE api_keys SET revoked_at = now() WHERE account_id = $1 AND revoked_at IS NULL";
const REVOKED = "RETURNING id, name || ' …' || last_four AS label";

async function recordRevoked(
  tx: Transaction,
  principal: Principal,
  keys: RevokedKey[],
): Promise<void> {
  for (const { id, label } of keys)
    await recordAudit(tx, principal, { action: "key.revoked", object: { kind: "key", id, label } });
}

/** The operator ends any account's key. @throws ServiceError NOT_FOUND */
export async function revokeKeyAsOperator(keyId: string): Promise<KeyView> {
  const key = await prisma().apiKey.findUnique({ where: { id: keyId } });
  if (!key) throw new ServiceError("NOT_FOUND", "There is no such key.");
  return revokeKey({ ...systemPrincipal(key.accountId), actor: operatorActor() }, keyId);
}
