import "server-only";
import { ServiceError } from "@/lib/model/errors";
import { callSql } from "@/lib/platform/call-sql";
import type { Transaction } from "@/lib/platform/postgres";

/**
 * Has something be kept for a person, who need not be known yet. Their erasure waits for the
 * transaction's end, or refuses it. After the hourly write and before all else, as an acceptance
 * has it.
 * @param how `alone` where the transaction goes on to change their row
 * @throws ServiceError CONFLICT while they are being erased
 */
export async function admitEndUser(
  tx: Transaction,
  accountId: string,
  endUser: string,
  how: "shared" | "alone" = "shared",
): Promise<void> {
  try {
    await callSql(tx, "admit_end_user", {
      account: accountId,
      end_user: endUser,
      estimate: null,
      alone: how === "alone",
    });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "LR001") throw beingErased();
    throw error;
  }
}

/** The refusal of what would be kept for somebody whose erasure has begun. */
export function beingErased(): ServiceError {
  return new ServiceError(
    "CONFLICT",
    "This end user is being erased: nothing is kept for them until that is done. Nothing was " +
      "stored.",
  );
}

/**
 * Of whom an act on something of theirs was, for the audit log: their row, for the log outlives
 * their name. Empty where it was the account's.
 */
export async function ofEndUser(
  tx: Transaction,
  accountId: string,
  endUser: string | null,
): Promise<{ end_user_id?: string }> {
  if (endUser === null) return {};
  const { rows } = await tx.query<{ id: string }>(
    "SELECT id FROM end_users WHERE account_id = $1 AND end_user = $2",
    [accountId, endUser],
  );
  return rows[0] ? { end_user_id: rows[0].id } : {};
}
