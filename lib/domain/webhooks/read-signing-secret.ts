import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import type { Principal } from "@/lib/domain/principal";
import { keyRing } from "@/lib/domain/secrets/key-ring";
import { WEBHOOK_SECRET_SCOPE } from "@/lib/domain/secrets/webhook-secret-scope";
import { webhookSecrets } from "@/lib/domain/webhooks/webhook-secrets";
import { openSealed } from "@/lib/platform/crypto/seal";
import { postgres } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

/** The account's signing secret as its owner sees it. */
export interface SigningSecret {
  /** `whsec_…` */
  secret: string;
  createdAt: Date;
  /** Until then the secrets before it sign too; null outside a rotation's overlap. */
  previousExpiresAt: Date | null;
}

const SHOWN_ONCE_IN_MINUTES = 10;

/** The signing secret for whoever asks to see it, which goes into the audit log, once in ten minutes for one who asks again. Makes the first when there is none. */
export async function showSigningSecret(principal: Principal): Promise<SigningSecret> {
  const secret = await readSigningSecret(principal);
  await recordAudit(postgres(), principal, { action: "webhook_secret.shown", onceInMinutes: SHOWN_ONCE_IN_MINUTES });
  return secret;
}

/** Makes the first secret when there is none. */
export async function readSigningSecret(principal: Principal): Promise<SigningSecret> {
  const { accountId } = principal;
  await webhookSecrets(accountId);
  const rows = await prisma().webhookSecret.findMany({
    where: { accountId, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
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
