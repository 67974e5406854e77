import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { ofEndUser } from "@/lib/domain/end-users/admit-end-user";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { getSecret, secretNotFound } from "@/lib/domain/secrets/secret-view";
import { ownedName } from "@/lib/model/secret/owned-name";
import { accountTransaction } from "@/lib/platform/postgres";

/**
 * Removes a secret; connectors that name it are refused from then on. A person's gives way to the
 * account's of the name in their runs.
 * @throws ServiceError SECRET_NOT_FOUND, RATE_LIMITED
 */
export async function deleteSecret(
  principal: Principal,
  name: string,
  endUser: string | null = null,
): Promise<void> {
  await getSecret(principal, name, endUser);
  await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const { rows } = await tx.query<{ id: string }>(
      "DELETE FROM secrets WHERE account_id = $1 AND name = $2 RETURNING id",
      [principal.accountId, ownedName(name, endUser)],
    );
    const [gone] = rows;
    if (!gone) throw secretNotFound();
    await recordAudit(tx, principal, {
      action: "secret.deleted",
      object: { kind: "secret", id: gone.id, label: name },
      changes: await ofEndUser(tx, principal.accountId, endUser),
    });
  });
}
