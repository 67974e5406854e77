import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { sealingRing } from "@/lib/domain/secrets/key-ring";
import {
  enforceSecretQuota,
  getSecret,
  type SecretView,
  secretNotFound,
} from "@/lib/domain/secrets/secret-view";
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
 * once none is lost. @throws ServiceError SECRET_NOT_FOUND, CONFLICT (too many bytes), RATE_LIMITED
 */
export async function updateSecret(
  principal: Principal,
  name: string,
  change: SecretChange,
): Promise<SecretView> {
  const { accountId } = principal;
  await accountTransaction(principal.accountId, async (tx) => {
    const ring = await sealingRing(tx);
    const { rows } = await tx.query<
      Pick<SecretView, "description" | "allowedHosts"> & { id: string }
    >(
      `SELECT id, description, allowed_hosts AS "allowedHosts" FROM secrets WHERE account_id = $1 AND name = $2 FOR NO KEY UPDATE`,
      [accountId, name],
    );
    const [stored] = rows;
    if (!stored) throw secretNotFound();
    const description = change.description === undefined ? stored.description : change.description;
    const allowedHosts = change.allowedHosts ?? stored.allowedHosts;
    await tx.query(
      "UPDATE secrets SET sealed = $3, description = $4, allowed_hosts = $5, updated_at = now() WHERE account_id = $1 AND name = $2",
      [accountId, name, seal(ring, change.value, { accountId, name }), description, allowedHosts],
    );
    await consumeWriteQuota(tx, principal);
    await enforceSecretQuota(tx, accountId);
    await recordAudit(tx, principal, {
      action: "secret.updated",
      object: { kind: "secret", id: stored.id, label: name },
      changes: {
        value: "replaced",
        allowed_hosts: change.allowedHosts && {
          from: stored.allowedHosts,
          to: change.allowedHosts,
        },
      },
    });
  });
  return getSecret(principal, name);
}
