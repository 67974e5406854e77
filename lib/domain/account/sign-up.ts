import "server-only";
import { requestAccountMail, takeMailWindow } from "@/lib/domain/account/account-mail";
import { type CreatedAccount, createAccount } from "@/lib/domain/account/create-account";
import { storePendingSignUp } from "@/lib/domain/account/pending-sign-up";
import { hashToken } from "@/lib/domain/account/user-tokens";
import { takeFromWindow, tooManyRequests } from "@/lib/domain/limits/rate-window";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import type { Actor } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { hashPassword } from "@/lib/platform/crypto/password";
import { newId } from "@/lib/platform/ids";
import { postgres, type Transaction, transaction } from "@/lib/platform/postgres";
import {
  configuredBaseUrl,
  isLoopback,
  isReachedFromElsewhere,
} from "@/lib/platform/public-base-url";

/**
 * Who may make an account here: everybody, whom an admin invites, or nobody (the operator's command
 * apart).
 */
type SignUpPolicy = "open" | "invite" | "closed";

/**
 * As the operator says; unsaid, everybody may where only this machine reaches the service, and
 * elsewhere whom an admin invites.
 */
export function signUpPolicy(): SignUpPolicy {
  return env().SIGN_UP || (isReachedFromElsewhere() ? "invite" : "open");
}

/**
 * A sentence for the operator of a service where strangers can sign up and nobody has to show that
 * an address is theirs; else null.
 */
export function openWithoutProof(): string | null {
  const isPublic =
    isReachedFromElsewhere() || !isLoopback(configuredBaseUrl() ?? "http://localhost");
  if (!isPublic || signUpPolicy() !== "open" || isMailConfigured()) return null;
  return (
    "Everybody who reaches this service can sign up under any e-mail address and is not asked " +
    "to prove it, because SIGN_UP is open and no mail is set up (SMTP_URL, MAIL_FROM): set " +
    "them, or SIGN_UP=invite."
  );
}

/** Nobody, or nobody without an invitation that is still good, may make an account here. */
export class SignUpClosed extends ServiceError {
  constructor(message: string) {
    super("CONFLICT", message);
  }
}

export interface LivingInvitation {
  id: string;
  email: string;
  /** Whoever has the link got it in the mailbox of `email`. */
  mailed: boolean;
}

const LIVING = "accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now()";

/**
 * The invitation that a link's token opens; null when it was used, revoked, has expired or never
 * was.
 */
export async function findInvitation(token: string): Promise<LivingInvitation | null> {
  const { rows } = await postgres().query<LivingInvitation>(
    `SELECT id, email, mailed_at IS NOT NULL AS mailed FROM invitations
     WHERE hash = $1 AND ${LIVING}`,
    [hashToken(token)],
  );
  return rows[0] ?? null;
}

/**
 * The newest living invitation of a proven address (lower case): a provider's word does what the
 * link does.
 */
export async function findInvitationOf(email: string): Promise<LivingInvitation | null> {
  const { rows } = await postgres().query<LivingInvitation>(
    `SELECT id, email, mailed_at IS NOT NULL AS mailed FROM invitations
     WHERE email = $1 AND ${LIVING} ORDER BY id DESC LIMIT 1`,
    [email],
  );
  return rows[0] ?? null;
}

/**
 * Uses an invitation up, with the account that it makes; of two that try, one may. @throws
 * SignUpClosed
 */
export async function acceptInvitation(tx: Transaction, invitationId: string): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE invitations SET accepted_at = now() WHERE id = $1 AND ${LIVING}`,
    [invitationId],
  );
  if (rowCount === 0)
    throw new SignUpClosed("This invitation was used or revoked meanwhile. Ask for another one.");
}

/** @throws SignUpClosed when nobody, or nobody without an invitation, may make an account here */
export function requireSignUpOpen(invitation: LivingInvitation | null): void {
  if (signUpPolicy() === "closed")
    throw new SignUpClosed(
      "Nobody can sign up here. Ask the operator of the service for an account.",
    );
  if (signUpPolicy() === "invite" && !invitation) {
    throw new SignUpClosed(
      "Signing up here needs an invitation that is still good. Ask an admin of the service " +
        "for one.",
    );
  }
}

/**
 * Counts an account that an address is about to make, unless addresses are not limited at all.
 * @returns whole seconds to wait when it made enough of them in this hour; else 0
 */
export async function takeSignUp(address: string): Promise<number> {
  const { SIGN_UPS_PER_HOUR: max, IP_LIMIT_PER_MINUTE } = env();
  return max === 0 || IP_LIMIT_PER_MINUTE === 0
    ? 0
    : takeFromWindow(postgres(), { key: `sign-up-from:${address}`, max, seconds: 3600 });
}

interface SignUp {
  email: string;
  password: string;
  name?: string;
  /** The token of an invitation's link. */
  invitation?: string;
}

/**
 * What became of a sign-up: an account that can be entered now, or a mail that says how to go on.
 */
export type SignUpOutcome =
  | { outcome: "made"; account: CreatedAccount }
  | { outcome: "mailed"; signUpId: string };

/**
 * Signs somebody up who comes by themselves. Where mail is set up there is no account before its
 * address is proven by the mailed link, and the answer and the work are the same for an address
 * that has one: its owner gets a mail that says so. Without mail a taken address is a conflict.
 * @param address where the request comes from: it may make SIGN_UPS_PER_HOUR accounts an hour
 * @throws ServiceError CONFLICT where signing up is closed (SignUpClosed) or the address is taken,
 * INVALID_INPUT for another address than the invited one, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function signUp(
  wanted: SignUp,
  address: string,
  actor?: Actor,
): Promise<SignUpOutcome> {
  const email = wanted.email.trim().toLowerCase();
  const invitation = wanted.invitation ? await findInvitation(wanted.invitation) : null;
  requireSignUpOpen(invitation);
  if (invitation && invitation.email !== email)
    throw invalidInput("email", "must be the address that the invitation was made for");
  const wait = await takeSignUp(address);
  if (wait > 0) throw tooManyRequests("Too many accounts were made from this address.", wait);
  return isMailConfigured() && !invitation?.mailed
    ? signUpByMail(wanted, email, invitation, actor)
    : { outcome: "made", account: await signUpNow(wanted, email, invitation, actor) };
}

async function signUpNow(
  wanted: SignUp,
  email: string,
  invitation: LivingInvitation | null,
  actor: Actor | undefined,
): Promise<CreatedAccount> {
  const { password, name } = wanted;
  return createAccount(
    {
      ...{ email, password, name, actor, isInvited: invitation !== null },
      proof: invitation?.mailed ? "shown" : "unasked",
    },
    async (tx) => {
      if (invitation) await acceptInvitation(tx, invitation.id);
    },
  );
}

/**
 * The same statements and one hash whether the address has an account or not: the step that mails
 * looks who it is. An address that got enough mails in this hour gets neither another one nor
 * another row.
 */
async function signUpByMail(
  { password, name }: SignUp,
  email: string,
  invitation: LivingInvitation | null,
  actor: Actor | undefined,
): Promise<SignUpOutcome> {
  const passwordHash = await hashPassword(password);
  const wanted = {
    email,
    name: name?.trim() || null,
    passwordHash,
    invitationId: invitation?.id ?? null,
  };
  const from = { address: actor?.address ?? null, userAgent: actor?.userAgent ?? null };
  const signUpId = await transaction(async (tx) => {
    if ((await takeMailWindow(tx, email)) > 0) return null;
    const id = await storePendingSignUp(tx, { ...wanted, ...from });
    await requestAccountMail(tx, "sign-up", email, id);
    return id;
  });
  return { outcome: "mailed", signUpId: signUpId ?? newId() };
}
