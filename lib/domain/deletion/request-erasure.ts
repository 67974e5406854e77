import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { endUserMissing } from "@/lib/domain/end-users/receipt";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { dispatch } from "@/lib/engine/client";
import { failpoint } from "@/lib/platform/failpoint";
import { newId } from "@/lib/platform/ids";
import { accountTransaction } from "@/lib/platform/postgres";

/**
 * Has a person be erased: from now on nothing is started or kept for them, their runs at work are
 * cancelled, and all that is theirs goes in the background (`eraseEndUser`). Asked for again while
 * that is under way it changes nothing. Nothing brings it back.
 * @returns when it was first asked for
 * @throws ServiceError END_USER_NOT_FOUND, END_USER_ERASED; RATE_LIMITED
 */
export async function requestErasure(principal: Principal, endUser: string): Promise<Date> {
  const { accountId } = principal;
  const erasingAt = await accountTransaction(accountId, async (tx) => {
    const find = async (lock: "" | "FOR UPDATE") => {
      const { rows } = await tx.query<{ id: string; erasing_at: Date | null }>(
        `SELECT id, erasing_at FROM end_users WHERE account_id = $1 AND end_user = $2 ${lock}`,
        [accountId, endUser],
      );
      if (!rows[0]) throw await endUserMissing(tx, accountId, endUser);
      return rows[0];
    };
    // Asked for again it counts as no write, whose row is locked before the person's.
    const { erasing_at: before } = await find("");
    if (before) return before;
    await consumeWriteQuota(tx, principal);
    const person = await find("FOR UPDATE");
    if (person.erasing_at) return person.erasing_at;
    const marked = await tx.query<{ erasing_at: Date }>(
      `UPDATE end_users SET erasing_at = now() WHERE id = $1 AND account_id = $2
       RETURNING erasing_at`,
      [person.id, accountId],
    );
    await tx.query(
      "UPDATE schedules SET enabled = false WHERE account_id = $1 AND end_user = $2 AND enabled",
      [accountId, endUser],
    );
    await recordAudit(tx, principal, {
      action: "end_user.erasure_requested",
      object: { kind: "end_user", id: person.id },
    });
    await dispatch(tx, {
      id: newId(),
      name: "end-user/erasure-requested",
      data: { account_id: accountId, end_user_id: person.id },
    });
    return marked.rows[0]?.erasing_at ?? new Date();
  });
  failpoint("erase.marked");
  return erasingAt;
}
