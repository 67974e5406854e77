import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { admitEndUser } from "@/lib/domain/end-users/admit-end-user";
import { type EndUserDetails, getEndUser } from "@/lib/domain/end-users/end-user-view";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { toMicros } from "@/lib/model/run/run-result";
import { accountTransaction } from "@/lib/platform/postgres";

/**
 * Says what a person's runs may cost a day (UTC), in credits; null: only the account's wallet
 * limits them. They need not have been seen before.
 * @throws ServiceError CONFLICT while they are being erased; RATE_LIMITED
 */
export async function setEndUserLimits(
  principal: Principal,
  endUser: string,
  { maxCreditsPerDay }: { maxCreditsPerDay: number | null },
): Promise<EndUserDetails> {
  const micros = maxCreditsPerDay === null ? null : toMicros(maxCreditsPerDay);
  await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    await admitEndUser(tx, principal.accountId, endUser, "alone");
    const { rows } = await tx.query<{ id: string }>(
      `UPDATE end_users SET max_credits_per_day_micros = $3 WHERE account_id = $1 AND end_user = $2
       RETURNING id`,
      [principal.accountId, endUser, micros],
    );
    await recordAudit(tx, principal, {
      action: "end_user.limits_changed",
      // Named by the row alone: the log outlives the person.
      object: { kind: "end_user", id: rows[0]?.id ?? null },
      changes: { max_credits_per_day: maxCreditsPerDay },
    });
  });
  return getEndUser(principal, endUser);
}
