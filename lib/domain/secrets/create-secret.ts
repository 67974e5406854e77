import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { sealingRing } from "@/lib/domain/secrets/key-ring";
import { enforceSecretQuota, getSecret, type SecretView } from "@/lib/domain/secrets/secret-view";
import { ServiceError } from "@/lib/model/errors";
import { seal } from "@/lib/platform/crypto/seal";
import { newId } from "@/lib/platform/ids";
import { accountTransaction } from "@/lib/platform/postgres";

export interface NewSecret {
  name: string;
  value: string;
  description: string | null;
  allowedHosts: string[];
}

/**
 * Stores a secret, sealed. Of two at once with one name, one wins.
 * @throws ServiceError CONFLICT for a taken name, or when the account has its fill of secrets
 * (1,000, or 384 KiB together); RATE_LIMITED. Nothing is stored then.
 */
export async function createSecret(principal: Principal, secret: NewSecret): Promise<SecretView> {
  const { accountId } = principal;
  const id = newId();
  await accountTransaction(principal.accountId, async (tx) => {
    const sealed = seal(await sealingRing(tx), secret.value, { accountId, name: secret.name });
    const { rowCount } = await tx.query(
      `INSERT INTO secrets (id, account_id, name, description, allowed_hosts, sealed, updated_at) VALUES ($1, $2, $3, $4, $5, $6, now())
       ON CONFLICT (account_id, name) DO NOTHING`,
      [id, accountId, secret.name, secret.description, secret.allowedHosts, sealed],
    );
    if (rowCount === 0)
      throw new ServiceError(
        "CONFLICT",
        `The secret ${secret.name} exists already. Change it with PUT /v1/secrets/${secret.name}.`,
      );
    await consumeWriteQuota(tx, principal);
    await enforceSecretQuota(tx, accountId);
    await recordAudit(tx, principal, {
      action: "secret.created",
      object: { kind: "secret", id, label: secret.name },
      changes: { allowed_hosts: secret.allowedHosts },
    });
  });
  return getSecret(principal, secret.name);
}
