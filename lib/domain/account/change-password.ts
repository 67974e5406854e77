import "server-only";
import { requestAccountMail } from "@/lib/domain/account/account-mail";
import { requirePassword } from "@/lib/domain/account/check-password";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { revokeAllKeys } from "@/lib/domain/keys/revoke-key";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { hashPassword } from "@/lib/platform/crypto/password";
import { type Transaction, transaction } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

export interface PasswordChange {
  current: string;
  next: string;
  /** Ends every key of the account too, with the change or not at all. */
  revokeKeys: boolean;
}

/**
 * Changes the signed-in user's password and ends all of the user's other sessions; a proven address
 * gets a mail that says so.
 * @param address where the request comes from: a wrong current password counts like a failed
 * sign-in
 * @throws ServiceError INVALID_INPUT when the current password is wrong; RATE_LIMITED after too
 * many wrong ones; CONFLICT when it was changed meanwhile
 */
export async function changePassword(
  principal: Principal,
  change: PasswordChange,
  address: string,
): Promise<void> {
  const user = await prisma().user.findFirst({
    where: { id: principal.userId ?? "", accountId: principal.accountId },
  });
  if (!user) throw new ServiceError("CONFLICT", "This user is gone.");
  await requirePassword(
    { email: user.email, hash: user.passwordHash },
    change.current,
    address,
    "current_password",
  );
  const next = await hashPassword(change.next);
  await transaction(async (tx) => {
    await replaceHash(tx, principal, user.passwordHash, next);
    await recordAudit(tx, principal, {
      action: "password.changed",
      object: { kind: "user", id: user.id, label: user.email },
    });
    if (change.revokeKeys) {
      await revokeAllKeys(tx, principal);
    }
    if (isMailConfigured()) await requestAccountMail(tx, "password-changed", user.email);
  });
}

/**
 * Raises the user's version, which ends all sessions, and takes this one along. A link that resets
 * the password is void from now on.
 */
async function replaceHash(
  tx: Transaction,
  principal: Principal,
  old: string | null,
  next: string,
): Promise<void> {
  const { rows } = await tx.query<{ session_version: number }>(
    `UPDATE users SET password_hash = $4, session_version = session_version + 1
     WHERE id = $1 AND account_id = $2 AND password_hash IS NOT DISTINCT FROM $3
     RETURNING session_version`,
    [principal.userId, principal.accountId, old, next],
  );
  const version = rows[0]?.session_version;
  if (version === undefined)
    throw new ServiceError(
      "CONFLICT",
      "The password was changed meanwhile. Sign in with the new one.",
    );
  await tx.query("UPDATE user_sessions SET version = $3 WHERE id = $1 AND user_id = $2", [
    principal.sessionId ?? null,
    principal.userId,
    version,
  ]);
  await tx.query(
    `UPDATE user_tokens SET used_at = now() WHERE user_id = $1 AND purpose = 'reset-password'
       AND used_at IS NULL`,
    [principal.userId],
  );
}
