import "server-only";
import { inngest } from "@/lib/engine/client";
import { enqueueEvent } from "@/lib/engine/embedded/router";
import { engineMode } from "@/lib/engine/engine-mode";
import type { RunKind } from "@/lib/model/run/run-status";
import type { Queryable } from "@/lib/platform/postgres";

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

/** Embedded: the event is stored in the caller's transaction and starts its functions when that commits. With an Inngest server: nothing. */
export async function dispatchInTransaction(tx: Queryable, event: LatheEvent): Promise<void> {
  if (engineMode() === "embedded") await enqueueEvent(tx, event);
}

/**
 * With an Inngest server: sends the event; sending one id twice is harmless (for 24 h). Embedded: nothing, the commit did it.
 * @throws EngineUnavailable when the server does not take it
 */
export async function dispatchAfterCommit(event: LatheEvent): Promise<void> {
  if (engineMode() === "embedded") return;
  try {
    await inngest.send(event);
  } catch (error) {
    throw new EngineUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The engine could not be told of an event, now or within the SDK's own tries; whether it got it is not known. */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
}
