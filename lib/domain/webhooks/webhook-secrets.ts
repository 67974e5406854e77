import "server-only";
import { keyRing, sealingRing } from "@/lib/domain/secrets/key-ring";
import { WEBHOOK_SECRET_SCOPE } from "@/lib/domain/secrets/webhook-secret-scope";
import { openSealed, seal } from "@/lib/platform/crypto/seal";
import { createWebhookSecret } from "@/lib/platform/crypto/webhook-signature";
import { newId } from "@/lib/platform/ids";
import { prisma } from "@/lib/storage/prisma";
import { transaction } from "@/lib/storage/transaction";

/** The most secrets that sign at once: the current one and those whose overlap has not ended. */
export const SIGNING_SECRETS_MAX = 5;

/** The account's signing secrets, newest first: one, or two during a rotation's overlap. Makes the first one when there is none. */
export async function webhookSecrets(accountId: string): Promise<string[]> {
  const scope = { accountId, name: WEBHOOK_SECRET_SCOPE };
  const valid = { accountId, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
  const rows = await prisma().webhookSecret.findMany({ where: valid, orderBy: { id: "desc" }, take: SIGNING_SECRETS_MAX });
  if (rows.length > 0) return rows.map((row) => openSealed(keyRing(), row.sealed, scope));
  await transaction(async (tx) => {
    const ring = await sealingRing(tx);
    await tx.query("SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]); // two at once make one secret
    await tx.query(
      `INSERT INTO webhook_secrets (id, account_id, sealed) SELECT $1, $2, $3
       WHERE NOT EXISTS (SELECT 1 FROM webhook_secrets WHERE account_id = $2 AND (expires_at IS NULL OR expires_at > now()))`,
      [newId(), accountId, seal(ring, createWebhookSecret(), scope)],
    );
  });
  return webhookSecrets(accountId);
}
