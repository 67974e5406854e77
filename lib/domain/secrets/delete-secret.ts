import "server-only";
import { takeHourlyWrite } from "@/lib/domain/account/take-hourly-write";
import type { Principal } from "@/lib/domain/principal";
import { secretNotFound } from "@/lib/domain/secrets/get-secret";
import { transaction } from "@/lib/storage/transaction";

/** Removes a secret; connectors that name it are refused from then on. @throws ServiceError SECRET_NOT_FOUND, RATE_LIMITED */
export async function deleteSecret(principal: Principal, name: string): Promise<void> {
  await transaction(async (tx) => {
    const { rowCount } = await tx.query("DELETE FROM secrets WHERE account_id = $1 AND name = $2", [principal.accountId, name]);
    if (rowCount === 0) throw secretNotFound();
    await takeHourlyWrite(tx, principal);
  });
}
