import "server-only";
import { requestAccountMail, takeMailWindow } from "@/lib/domain/account/account-mail";
import { forgetFailures } from "@/lib/domain/account/check-password";
import { findTokenUser, spendToken } from "@/lib/domain/account/user-tokens";
import { proveEmail } from "@/lib/domain/account/verify-email";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { takeFromWindow, tooManyRequests } from "@/lib/domain/limits/rate-window";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import { systemPrincipal } from "@/lib/domain/principal";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { hashPassword } from "@/lib/platform/crypto/password";
import { postgres, transaction } from "@/lib/platform/postgres";

/** Resets that one address may ask for in an hour, whoever they are for. */
const RESETS_AN_HOUR_MAX = 20;

/**
 * Mails a link to choose a new password by. An address without an account gets none, and whoever
 * asks cannot tell, by the answer or by the work done for it: who exists is looked up later, by the
 * step that mails. So is an address that got enough mails in this hour.
 * @param address where the request comes from
 * @throws ServiceError CONFLICT without mail; RATE_LIMITED
 */
export async function requestPasswordReset(email: string, address: string): Promise<void> {
  if (!isMailConfigured())
    throw new ServiceError(
      "CONFLICT",
      "This server sends no mail. Ask its operator to set a new password for you.",
    );
  const wanted = email.trim().toLowerCase();
  await transaction(async (tx) => {
    const wait = await takeFromWindow(tx, {
      key: `reset-from:${address}`,
      max: RESETS_AN_HOUR_MAX,
      seconds: 3600,
    });
    if (wait > 0)
      throw tooManyRequests("Too many new passwords were asked for from this address.", wait);
    if ((await takeMailWindow(tx, wanted)) === 0)
      await requestAccountMail(tx, "reset-password", wanted);
  });
}

/**
 * Sets the password that somebody chose by a mailed link, ends all sessions of the user, and opens
 * a sign-in that was closed by wrong passwords. The link proves the address too. Where it was not
 * proven before, or the password had come with a sign-up from another browser, what an earlier
 * holder made ends (`proveEmail`): it may have been somebody else.
 * @throws ServiceError INVALID_INPUT when the link was used, has expired or never was;
 * SERVICE_UNAVAILABLE when too many passwords are hashed
 */
export async function resetPassword(token: string, password: string): Promise<void> {
  // Looked up before the hash: made-up links cost nothing.
  if (!(await findTokenUser(postgres(), token, "reset-password"))) throw deadLink();
  const hash = await hashPassword(password);
  const proven = await transaction(async (tx) => {
    const userId = await spendToken(tx, token, "reset-password");
    if (!userId) throw deadLink();
    const { email, accountId } = await proveEmail(tx, userId, { replacesPassword: true });
    await tx.query(
      "UPDATE users SET password_hash = $2, session_version = session_version + 1 WHERE id = $1",
      [userId, hash],
    );
    const actor = {
      kind: "user",
      id: userId,
      label: email,
      address: null,
      userAgent: null,
    } as const;
    await recordAudit(tx, systemPrincipal(accountId), { action: "password.reset_by_mail", actor });
    await requestAccountMail(tx, "password-changed", email);
    return email;
  });
  await forgetFailures(proven);
}

function deadLink(): ServiceError {
  return invalidInput("token", "This link was used already or has expired. Ask for another one.");
}
