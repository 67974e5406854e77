import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { admitEndUser, ofEndUser } from "@/lib/domain/end-users/admit-end-user";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { sealingRing } from "@/lib/domain/secrets/key-ring";
import { enforceSecretQuota, getSecret, type SecretView } from "@/lib/domain/secrets/secret-view";
import { ServiceError } from "@/lib/model/errors";
import { ownedName } from "@/lib/model/secret/owned-name";
import { seal } from "@/lib/platform/crypto/seal";
import { newId } from "@/lib/platform/ids";
import { accountTransaction } from "@/lib/platform/postgres";

export interface NewSecret {
  name: string;
  /** In whose runs it stands before the account's of the name; null: it is the account's. */
  endUser?: string | null;
  value: string;
  description: string | null;
  allowedHosts: string[];
}

/**
 * Stores a secret, sealed: the account's, or that of a person of its own, who need not be known
 * yet. Of two at once with one name, one wins.
 * @throws ServiceError CONFLICT for a taken name, when the account has its fill of secrets (1,000,
 * or 384 KiB together), or the person theirs, or while they are being erased; RATE_LIMITED. Nothing
 * is stored then.
 */
export async function createSecret(principal: Principal, secret: NewSecret): Promise<SecretView> {
  const { accountId } = principal;
  const { endUser = null } = secret;
  const id = newId();
  const name = ownedName(secret.name, endUser);
  await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const sealed = seal(await sealingRing(tx), secret.value, { accountId, name });
    if (endUser !== null) await admitEndUser(tx, accountId, endUser);
    const { rowCount } = await tx.query(
      `INSERT INTO secrets (id, account_id, name, end_user, description, allowed_hosts, sealed,
         updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now()) ON CONFLICT (account_id, name) DO NOTHING`,
      [id, accountId, name, endUser, secret.description, secret.allowedHosts, sealed],
    );
    if (rowCount === 0)
      throw new ServiceError(
        "CONFLICT",
        `The secret ${secret.name} exists ` +
          `already${endUser === null ? "" : " for this end user"}. Change it with PUT ` +
          `/v1/secrets/${secret.name}.`,
      );
    await enforceSecretQuota(tx, accountId, endUser);
    await recordAudit(tx, principal, {
      action: "secret.created",
      object: { kind: "secret", id, label: secret.name },
      changes: {
        allowed_hosts: secret.allowedHosts,
        ...(await ofEndUser(tx, accountId, endUser)),
      },
    });
  });
  return getSecret(principal, secret.name, endUser);
}
