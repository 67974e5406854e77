import "server-only";
import type { RunKind } from "@/lib/model/run/run-status";

/** Mails about an account itself. `sign-up` is one for both cases: it says to whoever has an account already that they do. */
export const ACCOUNT_MAILS = ["sign-up", "verify-email", "reset-password", "password-changed"] as const;
export type AccountMail = (typeof ACCOUNT_MAILS)[number];

/** The events that the service sends to its engine. One id counts once: make it of what the event is about. */
export type LatheEvent = { id: string } & (
  | { name: "run/accepted"; data: { run_id: string; account_id: string } }
  | { name: "run/cancelled"; data: { run_id: string } }
  | { name: "approval/resolved"; data: { run_id: string; approval_id: string } }
  /** A run that a super-agent started has ended, or a super-agent's own. */
  | { name: "run/ended"; data: { run_id: string; kind: RunKind } }
  | { name: "webhook/requested"; data: { delivery_id: string; round: number; account_id: string; host: string } }
  | { name: "notification/created"; data: { notification_id: string } }
  | { name: "account/mail-requested"; data: { mail: AccountMail; email: string } }
  | { name: "account/deletion-requested"; data: { account_id: string } }
);
