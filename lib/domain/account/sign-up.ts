import "server-only";
import { announceAccountMail, type MailRequest, requestAccountMail, takeMailWindow } from "@/lib/domain/account/account-mail";
import { type CreatedAccount, createAccount } from "@/lib/domain/account/create-account";
import {
  acceptInvitation,
  findInvitation,
  type LivingInvitation,
  requireSignUpOpen,
  SignUpClosed,
  takeSignUp,
} from "@/lib/domain/account/sign-up-policy";
import { mailsAreOn } from "@/lib/domain/mail/mailer";
import type { Actor } from "@/lib/domain/principal";
import { tooManyRequests } from "@/lib/domain/rate-window";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { transaction } from "@/lib/storage/transaction";

export interface SignUp {
  email: string;
  password: string;
  name?: string;
  /** The token of an invitation's link. */
  invitation?: string;
}

/**
 * Makes an account for somebody who comes by themselves. Where mail is set up the address is to be proven first, and the answer (null) is the same
 * for one that has an account: its owner gets a mail that says so. Without mail a taken address is a conflict.
 * @param address where the request comes from: it may make SIGN_UPS_PER_HOUR accounts an hour
 * @returns the account that can be entered now; null when a mail says how to go on
 * @throws ServiceError CONFLICT where signing up is closed (SignUpClosed) or the address is taken, INVALID_INPUT for another address than the invited one, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function signUp(wanted: SignUp, address: string, actor?: Actor): Promise<CreatedAccount | null> {
  const email = wanted.email.trim().toLowerCase();
  const invitation = wanted.invitation ? await findInvitation(wanted.invitation) : null;
  requireSignUpOpen(invitation);
  if (invitation && invitation.email !== email) throw invalidInput("email", "must be the address that the invitation was made for");
  const wait = await takeSignUp(address);
  if (wait > 0) throw tooManyRequests("Too many accounts were made from this address.", wait);
  return mailsAreOn() && !invitation?.mailed ? signUpByMail(wanted, email, invitation, actor) : signUpNow(wanted, email, invitation, actor);
}

async function signUpNow(
  wanted: SignUp,
  email: string,
  invitation: LivingInvitation | null,
  actor: Actor | undefined,
): Promise<CreatedAccount> {
  const { password, name } = wanted;
  return createAccount({ email, password, name, proof: invitation?.mailed ? "given" : "unasked", actor }, async (tx) => {
    if (invitation) await acceptInvitation(tx, invitation.id);
  });
}

async function signUpByMail(wanted: SignUp, email: string, invitation: LivingInvitation | null, actor: Actor | undefined): Promise<null> {
  const { password, name } = wanted;
  let request: MailRequest | null = null;
  try {
    await createAccount({ email, password, name, proof: "awaited", actor }, async (tx) => {
      if (invitation) await acceptInvitation(tx, invitation.id);
      await takeMailWindow(tx, email);
      request = await requestAccountMail(tx, "sign-up", email);
    });
  } catch (error) {
    if (error instanceof SignUpClosed || !(error instanceof ServiceError && error.code === "CONFLICT")) throw error;
    request = await transaction(async (tx) => ((await takeMailWindow(tx, email)) > 0 ? null : requestAccountMail(tx, "sign-up", email)));
  }
  if (request) await announceAccountMail(request);
  return null;
}
