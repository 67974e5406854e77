import "server-only";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import {
  findBuiltIn,
  getSkill,
  type SkillDetail,
  skillNotFound,
} from "@/lib/domain/skills/skill-view";
import { ServiceError } from "@/lib/model/errors";
import { accountTransaction } from "@/lib/platform/postgres";

/**
 * Switches a skill on or off for the runs that start a turn from now on. Again: nothing changes.
 * @throws ServiceError SKILL_NOT_FOUND, CONFLICT when a built-in skill is to be switched off,
 * RATE_LIMITED
 */
export async function switchSkill(
  principal: Principal,
  skillId: string,
  enabled: boolean,
): Promise<SkillDetail> {
  if (findBuiltIn(skillId)) {
    if (!enabled) throw new ServiceError("CONFLICT", "A built-in skill cannot be disabled.");
    return getSkill(principal, skillId);
  }
  await accountTransaction(principal.accountId, async (tx) => {
    const { rowCount } = await tx.query(
      `UPDATE skills SET enabled = $3, updated_at = CASE WHEN enabled = $3 THEN updated_at
         ELSE now() END WHERE id = $1 AND account_id = $2`,
      [skillId, principal.accountId, enabled],
    );
    if (rowCount === 0) throw skillNotFound();
    await consumeWriteQuota(tx, principal);
  });
  return getSkill(principal, skillId);
}
