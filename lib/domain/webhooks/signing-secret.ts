import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { keyRing, sealingRing, WEBHOOK_SECRET_SCOPE } from "@/lib/domain/secrets/key-ring";
import { ServiceError } from "@/lib/model/errors";
import { openSealed, seal } from "@/lib/platform/crypto/seal";
import { createWebhookSecret } from "@/lib/platform/crypto/webhook-signature";
import { newId } from "@/lib/platform/ids";
import { accountTransaction, postgres, transaction } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";
/** The most secrets that sign at once: the current one and those whose overlap has not ended. */
export const SIGNING_SECRETS_MAX = 5;

/**
 * The account's signing secrets, newest first: one, or two during a rotation's overlap. Makes the
 * first one when there is none.
 */
export async function webhookSecrets(accountId: string): Promise<string[]> {
  const scope = { accountId, name: WEBHOOK_SECRET_SCOPE };
  const valid = {
    accountId,
    endpointId: null,
    OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
  };
  const rows = await prisma().webhookSecret.findMany({
    where: valid,
    orderBy: { id: "desc" },
    take: SIGNING_SECRETS_MAX,
  });
  if (rows.length > 0) return rows.map((row) => openSealed(keyRing(), row.sealed, scope));
  await transaction(async (tx) => {
    const ring = await sealingRing(tx);
    // Two at once make one secret.
    await tx.query("SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
    await tx.query(
      `INSERT INTO webhook_secrets (id, account_id, sealed) SELECT $1, $2, $3
       WHERE NOT EXISTS (SELECT 1 FROM webhook_secrets WHERE account_id = $2 AND endpoint_id IS NULL
           AND (expires_at IS NULL OR expires_at > now()))`,
      [newId(), accountId, seal(ring, createWebhookSecret(), scope)],
    );
  });
  return webhookSecrets(accountId);
}

/**
 * What the deliveries to one of the account's endpoints are signed with: its secrets, newest first.
 */
export async function endpointSecrets(accountId: string, endpointId: string): Promise<string[]> {
  const scope = { accountId, name: WEBHOOK_SECRET_SCOPE };
  const rows = await prisma().webhookSecret.findMany({
    where: { accountId, endpointId, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
    orderBy: { id: "desc" },
    take: SIGNING_SECRETS_MAX,
  });
  return rows.map(({ sealed }) => openSealed(keyRing(), sealed, scope));
}

/** The account's signing secret as its owner sees it. */
export interface SigningSecret {
  /** `whsec_…` */
  secret: string;
  createdAt: Date;
  /** Until then the secrets before it sign too; null outside a rotation's overlap. */
  previousExpiresAt: Date | null;
}

const SHOWN_ONCE_IN_MINUTES = 10;

/**
 * The signing secret for whoever asks to see it, which goes into the audit log, once in ten minutes
 * for one who asks again. Makes the first when there is none.
 */
export async function showSigningSecret(principal: Principal): Promise<SigningSecret> {
  const secret = await readSigningSecret(principal);
  await recordAudit(postgres(), principal, {
    action: "webhook_secret.shown",
    onceInMinutes: SHOWN_ONCE_IN_MINUTES,
  });
  return secret;
}

/** Makes the first secret when there is none. */
export async function readSigningSecret(principal: Principal): Promise<SigningSecret> {
  const { accountId } = principal;
  await webhookSecrets(accountId);
  const rows = await prisma().webhookSecret.findMany({
    where: {
      accountId,
      endpointId: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
    orderBy: { id: "desc" },
  });
  const [current, ...older] = rows;
  if (!current) throw new Error("an account has no signing secret though one was made");
  const ends = older.flatMap((row) => (row.expiresAt ? [row.expiresAt.getTime()] : []));
  return {
    secret: openSealed(keyRing(), current.sealed, { accountId, name: WEBHOOK_SECRET_SCOPE }),
    createdAt: current.createdAt,
    previousExpiresAt: ends.length > 0 ? new Date(Math.max(...ends)) : null,
  };
}

/**
 * Gives the account a fresh signing secret; the one before signs along for `overlapMinutes` more, 0
 * ends it at once.
 * @throws ServiceError CONFLICT while so many secrets overlap that one more would push a valid one
 * out; RATE_LIMITED. Nothing changes then.
 */
export async function rotateSigningSecret(
  principal: Principal,
  overlapMinutes: number,
): Promise<SigningSecret> {
  const { accountId } = principal;
  await readSigningSecret(principal);
  await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const ring = await sealingRing(tx);
    // Two at once rotate one after the other.
    await tx.query("SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
    await tx.query(
      `UPDATE webhook_secrets SET expires_at = now() + make_interval(mins => $2)
       WHERE account_id = $1 AND endpoint_id IS NULL AND expires_at IS NULL`,
      [accountId, overlapMinutes],
    );
    await tx.query(
      `DELETE FROM webhook_secrets WHERE account_id = $1 AND endpoint_id IS NULL
         AND expires_at <= now()`,
      [accountId],
    ); // they sign nothing any more
    const { rowCount } = await tx.query(
      `SELECT 1 FROM webhook_secrets WHERE account_id = $1 AND endpoint_id IS NULL
         AND expires_at > now()`,
      [accountId],
    );
    if ((rowCount ?? 0) >= SIGNING_SECRETS_MAX) {
      throw new ServiceError(
        "CONFLICT",
        `At most ${SIGNING_SECRETS_MAX} secrets may overlap. Wait until an older one has ` +
          "expired, or rotate without an overlap.",
      );
    }
    await tx.query("INSERT INTO webhook_secrets (id, account_id, sealed) VALUES ($1, $2, $3)", [
      newId(),
      accountId,
      seal(ring, createWebhookSecret(), { accountId, name: WEBHOOK_SECRET_SCOPE }),
    ]);
    await recordAudit(tx, principal, {
      action: "webhook_secret.rotated",
      changes: { overlap_minutes: overlapMinutes },
    });
  });
  return readSigningSecret(principal);
}
