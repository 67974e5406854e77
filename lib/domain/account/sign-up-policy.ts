import "server-only";
import { hashToken } from "@/lib/domain/account/user-tokens";
import { takeFromWindow } from "@/lib/domain/rate-window";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";
import type { Transaction } from "@/lib/storage/transaction";

/** Who may make an account here: everybody, whom an admin invites, or nobody (the operator's command apart). */
export type SignUpPolicy = "open" | "invite" | "closed";

export function signUpPolicy(): SignUpPolicy {
  return env().SIGN_UP;
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

/** The invitation that a link's token opens; null when it was used, revoked, has expired or never was. */
export async function findInvitation(token: string): Promise<LivingInvitation | null> {
  const { rows } = await postgres().query<LivingInvitation>(
    `SELECT id, email, mailed_at IS NOT NULL AS mailed FROM invitations WHERE hash = $1 AND ${LIVING}`,
    [hashToken(token)],
  );
  return rows[0] ?? null;
}

/** The newest living invitation of a proven address (lower case): a provider's word does what the link does. */
export async function findInvitationOf(email: string): Promise<LivingInvitation | null> {
  const { rows } = await postgres().query<LivingInvitation>(
    `SELECT id, email, mailed_at IS NOT NULL AS mailed FROM invitations WHERE email = $1 AND ${LIVING} ORDER BY id DESC LIMIT 1`,
    [email],
  );
  return rows[0] ?? null;
}

/** Uses an invitation up, with the account that it makes; of two that try, one may. @throws SignUpClosed */
export async function acceptInvitation(tx: Transaction, invitationId: string): Promise<void> {
  const { rowCount } = await tx.query(`UPDATE invitations SET accepted_at = now() WHERE id = $1 AND ${LIVING}`, [invitationId]);
  if (rowCount === 0) throw new SignUpClosed("This invitation was used or revoked meanwhile. Ask for another one.");
}

/** @throws SignUpClosed when nobody, or nobody without an invitation, may make an account here */
export function requireSignUpOpen(invitation: LivingInvitation | null): void {
  if (signUpPolicy() === "closed") throw new SignUpClosed("Nobody can sign up here. Ask the operator of the service for an account.");
  if (signUpPolicy() === "invite" && !invitation) {
    throw new SignUpClosed("Signing up here needs an invitation that is still good. Ask an admin of the service for one.");
  }
}

/** Counts an account that an address is about to make, unless addresses are not limited at all. @returns whole seconds to wait when it made enough of them in this hour; else 0 */
export async function takeSignUp(address: string): Promise<number> {
  const { SIGN_UPS_PER_HOUR: max, IP_LIMIT_PER_MINUTE } = env();
  return max === 0 || IP_LIMIT_PER_MINUTE === 0 ? 0 : takeFromWindow(postgres(), { key: `sign-up-from:${address}`, max, seconds: 3600 });
}
