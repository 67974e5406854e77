import "server-only";
import { reserveStorage } from "@/lib/domain/blobs/stored-bytes";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { findBuiltIn, skillNotFound } from "@/lib/domain/skills/skill-view";
import { ServiceError } from "@/lib/model/errors";
import { accountTransaction } from "@/lib/platform/postgres";

/**
 * Removes a custom skill with its files. @throws ServiceError SKILL_NOT_FOUND, CONFLICT for a
 * built-in skill, RATE_LIMITED
 */
export async function deleteSkill(principal: Principal, skillId: string): Promise<void> {
  if (findBuiltIn(skillId))
    throw new ServiceError("CONFLICT", "A built-in skill cannot be deleted.");
  await accountTransaction(principal.accountId, async (tx) => {
    const { rows } = await tx.query<{ size: string }>(
      `SELECT (SELECT coalesce(sum(octet_length(bytes)), 0) FROM skill_files
         WHERE skill_id = s.id) AS size
       FROM skills s WHERE id = $1 AND account_id = $2 FOR UPDATE`,
      [skillId, principal.accountId],
    );
    const row = rows[0];
    if (!row) throw skillNotFound();
    await tx.query("DELETE FROM skills WHERE id = $1 AND account_id = $2", [
      skillId,
      principal.accountId,
    ]);
    await consumeWriteQuota(tx, principal);
    await reserveStorage(tx, principal.accountId, -BigInt(row.size));
  });
}
