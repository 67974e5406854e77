import "server-only";
import { env } from "@/lib/env";
import { createMailer, type Mailer } from "@/lib/platform/mail/create-mailer";
import { once } from "@/lib/platform/once";

/** Whether the operator has set mail up: `SMTP_URL` and `MAIL_FROM`. */
export function mailsAreOn(): boolean {
  return env().SMTP_URL !== "" && env().MAIL_FROM !== "";
}

/** The operator's mail server; null when none is set up. */
export function configuredMailer(): Mailer | null {
  return once("mailer", () => ({ mailer: createMailer({ smtpUrl: env().SMTP_URL, from: env().MAIL_FROM }) })).mailer;
}
