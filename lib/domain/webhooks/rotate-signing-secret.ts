import "server-only";
import { takeHourlyWrite } from "@/lib/domain/account/take-hourly-write";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import type { Principal } from "@/lib/domain/principal";
import { sealingRing } from "@/lib/domain/secrets/key-ring";
import { WEBHOOK_SECRET_SCOPE } from "@/lib/domain/secrets/webhook-secret-scope";
import { readSigningSecret, type SigningSecret } from "@/lib/domain/webhooks/read-signing-secret";
import { SIGNING_SECRETS_MAX } from "@/lib/domain/webhooks/webhook-secrets";
import { ServiceError } from "@/lib/model/errors";
import { seal } from "@/lib/platform/crypto/seal";
import { createWebhookSecret } from "@/lib/platform/crypto/webhook-signature";
import { newId } from "@/lib/platform/ids";
import { transaction } from "@/lib/storage/transaction";

/**
 * Gives the account a fresh signing secret; the one before signs along for `overlapMinutes` more, 0 ends it at once.
 * @throws ServiceError CONFLICT while so many secrets overlap that one more would push a valid one out; RATE_LIMITED. Nothing changes then.
 */
export async function rotateSigningSecret(principal: Principal, overlapMinutes: number): Promise<SigningSecret> {
  const { accountId } = principal;
  await readSigningSecret(principal);
  await transaction(async (tx) => {
    const ring = await sealingRing(tx);
    await takeHourlyWrite(tx, principal);
    await tx.query("SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]); // two at once rotate one after the other
    await tx.query(
      "UPDATE webhook_secrets SET expires_at = now() + make_interval(mins => $2) WHERE account_id = $1 AND expires_at IS NULL",
      [accountId, overlapMinutes],
    );
    await tx.query("DELETE FROM webhook_secrets WHERE account_id = $1 AND expires_at <= now()", [accountId]); // they sign nothing any more
    const { rowCount } = await tx.query("SELECT 1 FROM webhook_secrets WHERE account_id = $1 AND expires_at > now()", [accountId]);
    if ((rowCount ?? 0) >= SIGNING_SECRETS_MAX) {
      throw new ServiceError(
        "CONFLICT",
        `At most ${SIGNING_SECRETS_MAX} secrets may overlap. Wait until an older one has expired, or rotate without an overlap.`,
      );
    }
    await tx.query("INSERT INTO webhook_secrets (id, account_id, sealed) VALUES ($1, $2, $3)", [
      newId(),
      accountId,
      seal(ring, createWebhookSecret(), { accountId, name: WEBHOOK_SECRET_SCOPE }),
    ]);
    await recordAudit(tx, principal, { action: "webhook_secret.rotated", changes: { overlap_minutes: overlapMinutes } });
  });
  return readSigningSecret(principal);
}
