import "server-only";
import { env } from "@/lib/env";
import { createMailer, type Mailer } from "@/lib/platform/mail/create-mailer";
import { definePart } from "@/lib/service";

/** Whether the operator has set mail up: `SMTP_URL` and `MAIL_FROM`. */
export function isMailConfigured(): boolean {
  return env().SMTP_URL !== "" && env().MAIL_FROM !== "";
}

/** The operator's mail server; null when none is set up. */
export const configuredMailer = definePart(
  "mailer",
  (): Mailer | null =>
    createMailer({ smtpUrl: env().SMTP_URL, tls: env().SMTP_TLS, from: env().MAIL_FROM }),
  (mailer) => mailer?.close(),
);
