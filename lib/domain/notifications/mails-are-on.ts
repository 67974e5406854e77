import "server-only";
import { env } from "@/lib/env";

/** Whether the operator has set mail up: `SMTP_URL` and `MAIL_FROM`. */
export function mailsAreOn(): boolean {
  return env().SMTP_URL !== "" && env().MAIL_FROM !== "";
}
