import "server-only";
import { requestAccountMail, takeMailWindow } from "@/lib/domain/account/account-mail";
import { forgetFailures } from "@/lib/domain/account/check-password";
import { insertAccount } from "@/lib/domain/account/create-account";
import { type PendingSignUp, takePendingSignUp } from "@/lib/domain/account/pending-sign-up";
import { forgetSecondFactors } from "@/lib/domain/account/second-factor";
import { acceptInvitation, requireSignUpOpen } from "@/lib/domain/account/sign-up";
import { spendToken } from "@/lib/domain/account/user-tokens";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { revokeAllKeys } from "@/lib/domain/keys/revoke-key";
import { tooManyRequests } from "@/lib/domain/limits/rate-window";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import { type Actor, type Principal, systemPrincipal } from "@/lib/domain/principal";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { newId } from "@/lib/platform/ids";
import { type Transaction, transaction } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

/** What is known of the browser that opens a mailed link. */
export interface ProvingBrowser {
  actor?: Actor;
  /** Who is signed in there. */
  principal?: Principal | null;
  /** The sign-up that was asked for there. */
  signUpId?: string | null;
}

/**
 * Proves the address that the mailed link went to. The link of a sign-up makes the account, with
 * its starting credits; where an unproven account has the address it gives way. The link of an
 * account that was made before ends what its earlier holder has (`takeAccountOver`), but for the
 * session that opens it.
 * @returns the address
 * @throws ServiceError INVALID_INPUT when the link was used, has expired or never was; CONFLICT
 * when the address has got an account meanwhile, or nobody may sign up any more
 */
export async function verifyEmail(token: string, browser: ProvingBrowser = {}): Promise<string> {
  const email = await transaction(async (tx) => {
    const pending = await takePendingSignUp(tx, token);
    if (pending) return openAccount(tx, pending, browser);
    const userId = await spendToken(tx, token, "verify-email");
    if (!userId)
      throw invalidInput(
        "token",
        "This link was used already or has expired. Sign up or sign in to get another one.",
      );
    return (await proveEmail(tx, userId, { browser })).email;
  });
  // Who tried the password before the proof may have used the attempts up.
  await forgetFailures(email);
  return email;
}

async function openAccount(
  tx: Transaction,
  pending: PendingSignUp,
  { actor, signUpId }: ProvingBrowser,
): Promise<string> {
  const { email, name, invitationId } = pending;
  requireSignUpOpen(invitationId === null ? null : { id: invitationId, email, mailed: false });
  if (invitationId !== null) await acceptInvitation(tx, invitationId);
  const isInvited = invitationId !== null;
  const wanted = { email, name: name ?? undefined, proof: "shown", isInvited, actor } as const;
  await insertAccount(tx, wanted, {
    hash: pending.passwordHash,
    isUnproven: pending.id !== signUpId,
  });
  return email;
}

/**
 * The user has shown that the address is theirs. The first time, and where it replaces a password
 * that came from elsewhere, what an earlier holder has ends; and the credits that waited are paid
 * out, once. Again: nothing changes.
 * @returns the address, and whose account it is of
 * @throws ServiceError INVALID_INPUT when the account is going
 */
export async function proveEmail(
  tx: Transaction,
  userId: string,
  {
    browser = {},
    replacesPassword = false,
  }: { browser?: ProvingBrowser; replacesPassword?: boolean } = {},
): Promise<{ email: string; accountId: string }> {
  // The account's row first, as in a deletion; what is read of the user afterwards is what stands
  // under its lock.
  await tx.query(
    `SELECT 1 FROM accounts WHERE id = (SELECT account_id FROM users WHERE id = $1)
     FOR NO KEY UPDATE`,
    [userId],
  );
  const { rows } = await tx.query<{
    email: string;
    account_id: string;
    is_first: boolean;
    is_foreign: boolean;
  }>(
    `SELECT u.email, u.account_id, u.email_verified_at IS NULL AS is_first,
       u.password_unproven AS is_foreign
     FROM users u JOIN accounts a ON a.id = u.account_id WHERE u.id = $1 AND a.deleting_at IS NULL
     FOR NO KEY UPDATE OF u`,
    [userId],
  );
  const user = rows[0];
  if (!user) throw invalidInput("token", "The account of this link is being deleted.");
  const { email, account_id: accountId } = user;
  const actor = {
    address: null,
    userAgent: null,
    ...browser.actor,
    kind: "user",
    id: userId,
    label: email,
  } as const;
  const principal = { ...systemPrincipal(accountId), userId, actor };
  if (user.is_first) {
    await tx.query("UPDATE users SET email_verified_at = now() WHERE id = $1", [userId]);
    await recordAudit(tx, principal, { action: "email.proven" });
  }
  if (user.is_first || (user.is_foreign && replacesPassword))
    await takeAccountOver(tx, principal, browser.principal ?? null);
  // One that was set up before the proof would keep the owner out. Later ones stay: a mailbox alone
  // is not to get around them.
  if (user.is_first && browser.principal?.userId !== userId) await forgetSecondFactors(tx, userId);
  if (replacesPassword)
    await tx.query("UPDATE users SET password_unproven = false WHERE id = $1", [userId]);
  await payWaitingCredits(tx, accountId);
  return { email, accountId };
}

/**
 * Whoever was let in before may have been somebody else: every key and session ends, but for that
 * of the browser where the owner is signed in. Without one what else an earlier holder could still
 * use goes, too: connections, the secret that signs webhooks; schedules are switched off.
 */
async function takeAccountOver(
  tx: Transaction,
  principal: Principal,
  signedIn: Principal | null,
): Promise<void> {
  const { accountId, userId } = principal;
  await revokeAllKeys(tx, principal);
  const kept = signedIn?.userId === userId ? (signedIn?.sessionId ?? null) : null;
  const { rows } = await tx.query<{ session_version: number }>(
    `UPDATE users SET session_version = session_version + 1 WHERE id = $1
     RETURNING session_version`,
    [userId],
  );
  const taken = await tx.query(
    `UPDATE user_sessions SET version = $3 WHERE id = $1 AND user_id = $2 AND ended_at IS NULL
       AND expires_at > now() AND version = $3 - 1`,
    [kept, userId, rows[0]?.session_version ?? 0],
  );
  if (taken.rowCount !== 0) return;
  await tx.query("UPDATE schedules SET enabled = false WHERE account_id = $1 AND enabled", [
    accountId,
  ]);
  await tx.query("DELETE FROM mcp_connections WHERE account_id = $1", [accountId]);
  await tx.query("DELETE FROM webhook_endpoints WHERE account_id = $1", [accountId]);
  await tx.query("DELETE FROM webhook_secrets WHERE account_id = $1", [accountId]);
}

async function payWaitingCredits(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(
    `WITH waiting AS (SELECT id, pending_credits_micros AS micros FROM accounts
       WHERE id = $1 AND pending_credits_micros > 0 FOR NO KEY UPDATE),
       paid AS (UPDATE accounts a
         SET available_micros = a.available_micros + w.micros, pending_credits_micros = 0
         FROM waiting w
                WHERE a.id = w.id RETURNING a.id, w.micros)
     INSERT INTO ledger_entries (id, account_id, kind, amount_micros, note)
     SELECT $2, id, 'grant', micros, 'starting credits' FROM paid`,
    [accountId, newId()],
  );
}

/**
 * Mails the signed-in user another link to prove their address by.
 * @throws ServiceError CONFLICT without mail, or when it is proven; RATE_LIMITED after several
 * within an hour
 */
export async function requestEmailProof(principal: Principal): Promise<void> {
  if (!isMailConfigured())
    throw new ServiceError(
      "CONFLICT",
      "This server sends no mail: its operator has not set it up.",
    );
  const user = await prisma().user.findFirst({
    where: { id: principal.userId ?? "", accountId: principal.accountId },
  });
  if (!user || user.emailVerifiedAt)
    throw new ServiceError("CONFLICT", "Your address is confirmed already. Nothing is to be done.");
  await transaction(async (tx) => {
    const wait = await takeMailWindow(tx, user.email);
    if (wait > 0)
      throw tooManyRequests(
        "Several mails went to your address already: look for them in its spam folder too.",
        wait,
      );
    await requestAccountMail(tx, "verify-email", user.email);
  });
}
