import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { ofEndUser } from "@/lib/domain/end-users/admit-end-user";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { sealingRing } from "@/lib/domain/secrets/key-ring";
import {
  enforceSecretQuota,
  getSecret,
  type SecretView,
  secretNotFound,
} from "@/lib/domain/secrets/secret-view";
import { ownedName } from "@/lib/model/secret/owned-name";
import { seal } from "@/lib/platform/crypto/seal";
import { accountTransaction } from "@/lib/platform/postgres";

export interface SecretChange {
  value: string;
  description?: string | null;
  /** Left out, it stays: a new value must not reach more hosts than the old one did. */
  allowedHosts?: string[];
}

/**
 * Replaces a secret's value, and its description and hosts where they are given; of two changes at
 * once none is lost.
 * @throws ServiceError SECRET_NOT_FOUND, CONFLICT (too many bytes), RATE_LIMITED
 */
export async function updateSecret(
  principal: Principal,
  name: string,
  change: SecretChange,
  endUser: string | null = null,
): Promise<SecretView> {
  const { accountId } = principal;
  const owned = ownedName(name, endUser);
  await getSecret(principal, name, endUser);
  await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const ring = await sealingRing(tx);
    const { rows } = await tx.query<
      Pick<SecretView, "description" | "allowedHosts"> & { id: string }
    >(
      `SELECT id, description, allowed_hosts AS "allowedHosts" FROM secrets WHERE account_id = $1
         AND name = $2 FOR NO KEY UPDATE`,
      [accountId, owned],
    );
    const [stored] = rows;
    if (!stored) throw secretNotFound();
    const description = change.description === undefined ? stored.description : change.description;
    const allowedHosts = change.allowedHosts ?? stored.allowedHosts;
    await tx.query(
      `UPDATE secrets SET sealed = $3, description = $4, allowed_hosts = $5, updated_at = now()
       WHERE account_id = $1 AND name = $2`,
      [
        accountId,
        owned,
        seal(ring, change.value, { accountId, name: owned }),
        description,
        allowedHosts,
      ],
    );
    await enforceSecretQuota(tx, accountId, endUser);
    await recordAudit(tx, principal, {
      action: "secret.updated",
      object: { kind: "secret", id: stored.id, label: name },
      changes: {
        value: "replaced",
        allowed_hosts: change.allowedHosts && {
          from: stored.allowedHosts,
          to: change.allowedHosts,
        },
        ...(await ofEndUser(tx, accountId, endUser)),
      },
    });
  });
  return getSecret(principal, name, endUser);
}
