import "server-only";
import { keyRing } from "@/lib/domain/secrets/key-ring";
import { needsRotation, openSealed, seal } from "@/lib/platform/crypto/seal";
import { prisma } from "@/lib/storage/prisma";

const BATCH = 500;

/**
 * Seals every value anew that an older key of the ring has sealed; values that change meanwhile are left to their writer. May be cut off and repeated.
 * @returns how many values were sealed anew, and the current key's id
 */
export async function rotateSealedValues(): Promise<{ key_id: string; secrets: number; webhook_secrets: number }> {
  const ring = keyRing();
  let secrets = 0;
  for (let after = ""; ; ) {
    const rows = await prisma().secret.findMany({ where: after ? { id: { gt: after } } : {}, orderBy: { id: "asc" }, take: BATCH });
    for (const row of rows.filter((candidate) => needsRotation(ring, candidate.sealed))) {
      const scope = { accountId: row.accountId, name: row.name };
      const sealed = seal(ring, openSealed(ring, row.sealed, scope), scope);
      const { count } = await prisma().secret.updateMany({ where: { id: row.id, sealed: row.sealed }, data: { sealed } });
      secrets += count;
    }
    const last = rows.at(-1);
    if (rows.length < BATCH || !last) break;
    after = last.id;
  }
  return { key_id: ring.currentId, secrets, webhook_secrets: await rotateWebhookSecrets() };
}

async function rotateWebhookSecrets(): Promise<number> {
  const ring = keyRing();
  let count = 0;
  for (const row of await prisma().webhookSecret.findMany()) {
    if (!needsRotation(ring, row.sealed)) continue;
    const scope = { accountId: row.accountId, name: WEBHOOK_SECRET_SCOPE };
    await prisma().webhookSecret.update({
      where: { id: row.id },
      data: { sealed: seal(ring, openSealed(ring, row.sealed, scope), scope) },
    });
    count += 1;
  }
  return count;
}

/** What a webhook secret is bound to beside its account. */
export const WEBHOOK_SECRET_SCOPE = "webhook-signing";
