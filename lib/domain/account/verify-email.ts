import "server-only";
import { announceAccountMail, requestAccountMail, takeMailWindow } from "@/lib/domain/account/account-mail";
import { spendToken } from "@/lib/domain/account/user-tokens";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { tooManyRequests } from "@/lib/domain/limits/rate-window";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import { type Principal, systemPrincipal } from "@/lib/domain/principal";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { newId } from "@/lib/platform/ids";
import { type Queryable, transaction } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

/**
 * Proves the address that the mailed link went to, and pays the credits out that waited for it, once.
 * @returns the address
 * @throws ServiceError INVALID_INPUT when the link was used, has expired or never was
 */
export async function verifyEmail(token: string): Promise<string> {
  return transaction(async (tx) => {
    const userId = await spendToken(tx, token, "verify-email");
    if (!userId)
      throw invalidInput("token", "This link was used already or has expired. Sign in, and ask for another one in the settings.");
    return (await proveEmail(tx, userId)).email;
  });
}

/** The user has shown that the address is theirs. Again: nothing changes. @returns the address, and whose account it is of */
export async function proveEmail(tx: Queryable, userId: string): Promise<{ email: string; accountId: string }> {
  const { rows } = await tx.query<{ email: string; account_id: string; first: boolean }>(
    `WITH before AS (SELECT id, email_verified_at FROM users WHERE id = $1 FOR NO KEY UPDATE)
     UPDATE users u SET email_verified_at = coalesce(u.email_verified_at, now()) FROM before WHERE u.id = before.id
     RETURNING u.email, u.account_id, before.email_verified_at IS NULL AS first`,
    [userId],
  );
  const user = rows[0];
  if (!user) throw new Error("a link's token belongs to nobody");
  if (user.first) {
    const actor = { kind: "user", id: userId, label: user.email, address: null, userAgent: null } as const;
    await recordAudit(tx, systemPrincipal(user.account_id), { action: "email.proven", actor });
  }
  await tx.query(
    `WITH waiting AS (SELECT id, pending_credits_micros AS micros FROM accounts WHERE id = $1 AND pending_credits_micros > 0 FOR NO KEY UPDATE),
       paid AS (UPDATE accounts a SET available_micros = a.available_micros + w.micros, pending_credits_micros = 0 FROM waiting w
                WHERE a.id = w.id RETURNING a.id, w.micros)
     INSERT INTO ledger_entries (id, account_id, kind, amount_micros, note) SELECT $2, id, 'grant', micros, 'starting credits' FROM paid`,
    [user.account_id, newId()],
  );
  return { email: user.email, accountId: user.account_id };
}

/**
 * Mails the signed-in user another link to prove their address by.
 * @throws ServiceError CONFLICT without mail, or when it is proven; RATE_LIMITED after several within an hour
 */
export async function requestEmailProof(principal: Principal): Promise<void> {
  if (!isMailConfigured()) throw new ServiceError("CONFLICT", "This server sends no mail: its operator has not set it up.");
  const user = await prisma().user.findFirst({ where: { id: principal.userId ?? "", accountId: principal.accountId } });
  if (!user || user.emailVerifiedAt) throw new ServiceError("CONFLICT", "Your address is confirmed already. Nothing is to be done.");
  const request = await transaction(async (tx) => {
    const wait = await takeMailWindow(tx, user.email);
    if (wait > 0) throw tooManyRequests("Several mails went to your address already: look for them in its spam folder too.", wait);
    return requestAccountMail(tx, "verify-email", user.email);
  });
  await announceAccountMail(request);
}
