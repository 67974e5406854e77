import "server-only";
import { issueSignUpLink } from "@/lib/domain/account/pending-sign-up";
import { issueToken } from "@/lib/domain/account/user-tokens";
import { takeFromWindow } from "@/lib/domain/limits/rate-window";
import { configuredMailer } from "@/lib/domain/mail/mailer";
import { type AccountMail, dispatch, type LatheEvent } from "@/lib/engine/client";
import { RESET_PASSWORD_HOURS, VERIFY_EMAIL_HOURS } from "@/lib/model/limits";
import { newId } from "@/lib/platform/ids";
import type { Mailer } from "@/lib/platform/mail/create-mailer";
import { postgres, type Queryable } from "@/lib/platform/postgres";
import { publicBaseUrl } from "@/lib/platform/public-base-url";
import { prisma } from "@/lib/storage/prisma";

/**
 * Mails that people may have sent to one address an hour, whoever asks: nobody's mailbox is filled
 * through us.
 */
const MAILS_AN_HOUR_MAX = 5;

type MailRequest = Extract<LatheEvent, { name: "account/mail-requested" }>;

/** Puts a mail about an account on its way, with the transaction. */
export async function requestAccountMail(
  tx: Queryable,
  mail: AccountMail,
  email: string,
  signUpId?: string,
): Promise<void> {
  const data = { mail, email, ...(signUpId !== undefined && { sign_up_id: signUpId }) };
  await dispatch(tx, { id: newId(), name: "account/mail-requested", data });
}

/**
 * Counts a mail that somebody asks for. @returns whole seconds to wait when the address has had
 * enough of them; else 0
 */
export function takeMailWindow(tx: Queryable, email: string): Promise<number> {
  return takeFromWindow(tx, { key: `mail-to:${email}`, max: MAILS_AN_HOUR_MAX, seconds: 3600 });
}

interface Recipient {
  id: string;
  email: string;
  hasPassword: boolean;
  isProven: boolean;
}

/**
 * Sends a mail about an account, if it still has a reason to be sent. Links are made here, so that
 * their tokens are nowhere but in the mail; sent again after a crash, a mail has a link of its own,
 * and the message id of the first, so that mailboxes drop one.
 * @param messageId the same for each try
 * @returns whether anything was sent
 * @throws what the mail server refuses with
 */
export async function sendAccountMail(
  { mail, email, sign_up_id: signUpId, messageId }: MailRequest["data"] & { messageId: string },
  mailer: Mailer | null = configuredMailer(),
): Promise<boolean> {
  const user = await findRecipient(email);
  const text = mailer && (await writeMail(mail, user, signUpId ?? null));
  if (!text) return false;
  await mailer.send({ to: email, messageId, ...text });
  return true;
}

async function findRecipient(email: string): Promise<Recipient | null> {
  const user = await prisma().user.findFirst({ where: { email, account: { deletingAt: null } } });
  return (
    user && {
      id: user.id,
      email: user.email,
      hasPassword: user.passwordHash !== null,
      isProven: user.emailVerifiedAt !== null,
    }
  );
}

interface MailText {
  subject: string;
  text: string;
}

async function writeMail(
  mail: AccountMail,
  user: Recipient | null,
  signUpId: string | null,
): Promise<MailText | null> {
  if (mail === "sign-up" && signUpId !== null && !user?.isProven)
    return signUpLink(signUpId, user !== null);
  if (!user) return null;
  if (mail === "password-changed") return user.isProven ? passwordChanged() : null;
  if (mail === "reset-password") return user.hasPassword ? resetLink(user) : noPassword();
  if (!user.isProven) return proofLink(user);
  return mail === "sign-up" ? accountExists() : null;
}

/**
 * The account is made by whoever opens this link. The mail says from where it was asked for: a
 * mailbox's owner who did not ask would make an account with somebody else's password.
 * @param isReplacing there is an account that nobody has proven, which goes with the proof of this
 * one
 */
async function signUpLink(signUpId: string, isReplacing: boolean): Promise<MailText | null> {
  const link = await issueSignUpLink(postgres(), signUpId);
  if (!link) return null;
  const { createdAt, address } = link.signUp;
  const at = `${createdAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const replaced = isReplacing
    ? `
There is an account with this address that nobody has confirmed. If you made it, do not use this \
link, which replaces it by an empty one: sign in and
confirm it in the settings.
`
    : "";
  return {
    subject: "Confirm your e-mail address",
    text: `Somebody, most likely you, wants to make an account at ${publicBaseUrl()} with this \
address (${at}, from ${address ?? "an unknown address"}).
Open this link and press its button to confirm that it is yours. The account is made then, with \
the password that was chosen at that moment:

${publicBaseUrl()}/verify-email#token=${link.token}

It works once, for ${VERIFY_EMAIL_HOURS} hours.
${replaced}
If it was not you, do nothing: no account is made.
`,
  };
}

async function proofLink(user: Recipient): Promise<MailText> {
  const token = await issueToken(postgres(), user.id, "verify-email", VERIFY_EMAIL_HOURS);
  return {
    subject: "Confirm your e-mail address",
    text: `Somebody, most likely you, made an account at ${publicBaseUrl()} with this address. \
Open this link to confirm that it is yours:

${publicBaseUrl()}/verify-email#token=${token}

Press its button. It works once, for ${VERIFY_EMAIL_HOURS} hours. Every other session and every \
key of the account ends with it. If it was not you,
do nothing: nothing of the account works without it.
`,
  };
}

async function resetLink(user: Recipient): Promise<MailText> {
  const token = await issueToken(postgres(), user.id, "reset-password", RESET_PASSWORD_HOURS);
  return {
    subject: "Choose a new password",
    text: `Somebody, most likely you, asked for a new password for your account \
at ${publicBaseUrl()}. Choose one here:

${publicBaseUrl()}/reset-password#token=${token}

The link works once, for an hour; a new password ends every session. If it was not you, do \
nothing: your password stays as it is.
`,
  };
}

/**
 * A provider's word is all that such an account knows of its owner: a mailbox alone does not
 * replace it.
 */
function noPassword(): MailText {
  return {
    subject: "Your account has no password",
    text: `Somebody, most likely you, asked for a new password for your account \
at ${publicBaseUrl()}. It has none: you sign in to it through the
provider that you made it with.

${publicBaseUrl()}/sign-in
`,
  };
}

function accountExists(): MailText {
  return {
    subject: "You have an account already",
    text: `Somebody, most likely you, tried to make an account at ${publicBaseUrl()} with this \
address, which has one already. Nothing was changed.

Sign in: ${publicBaseUrl()}/sign-in
Choose a new password: ${publicBaseUrl()}/forgot-password
`,
  };
}

function passwordChanged(): MailText {
  return {
    subject: "Your password was changed",
    text: `The password of your account at ${publicBaseUrl()} was changed. Every other session has \
ended.

If it was not you, choose a new password now and revoke your API \
keys: ${publicBaseUrl()}/forgot-password
`,
  };
}
