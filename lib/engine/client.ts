import "server-only";
import { z } from "zod";
import { enqueueEvent } from "@/lib/engine/embedded/router";
import { engineMode } from "@/lib/engine/engine-state";
import { NonRetriableError } from "@/lib/engine/functions";
import { RUN_KINDS } from "@/lib/model/run/run-status";
import type { Queryable } from "@/lib/platform/postgres";

/**
 * Mails about an account itself. `sign-up` is one for both cases: it says to whoever has an account
 * already that they do.
 */
export const ACCOUNT_MAILS = [
  "sign-up",
  "verify-email",
  "reset-password",
  "password-changed",
] as const;
export type AccountMail = (typeof ACCOUNT_MAILS)[number];

const runId = z.uuid();

/** What the events carry that the service sends to its engine. */
const EVENT_DATA = {
  "run/accepted": z.object({ run_id: runId, account_id: z.uuid() }),
  "run/cancelled": z.object({ run_id: runId }),
  "approval/resolved": z.object({ run_id: runId, approval_id: z.uuid() }),
  /** All calls of one batch of client tools have their results. */
  "client-tools/answered": z.object({ run_id: runId, batch_id: z.uuid() }),
  /** A run that a super-agent started has ended, or a super-agent's own. */
  "run/ended": z.object({ run_id: runId, kind: z.enum(RUN_KINDS) }),
  "webhook/requested": z.object({
    delivery_id: z.uuid(),
    round: z.int().min(0).default(0),
    account_id: z.uuid(),
    host: z.string(),
  }),
  "notification/created": z.object({ notification_id: z.uuid() }),
  /** `sign_up_id`: of the sign-up that waits for the proof of its address. */
  "account/mail-requested": z.object({
    mail: z.enum(ACCOUNT_MAILS),
    email: z.string(),
    sign_up_id: z.uuid().optional(),
  }),
  "account/deletion-requested": z.object({ account_id: z.uuid() }),
};

type EventName = keyof typeof EVENT_DATA;
type EventData<Name extends EventName> = z.output<(typeof EVENT_DATA)[Name]>;

/** An event of the service's own. One id counts once: make it of what the event is about. */
export type LatheEvent = {
  [Name in EventName]: { id: string; name: Name; data: EventData<Name> };
}[EventName];

/**
 * What an event carries, as the function that it starts gets it. @throws NonRetriableError when it
 * does not fit: another attempt would not change that
 */
export function eventData<Name extends EventName>(
  name: Name,
  { data }: { data?: unknown },
): EventData<Name> {
  const parsed = EVENT_DATA[name].safeParse(data);
  if (!parsed.success)
    throw new NonRetriableError(
      `An event ${name} does not fit its schema.\n${z.prettifyError(parsed.error)}`,
    );
  return parsed.data as EventData<Name>; // the schema of this very name
}

/**
 * Embedded: the event is stored in the caller's transaction and starts its functions when that
 * commits. With an Inngest server: nothing.
 */
export async function dispatchInTransaction(tx: Queryable, event: LatheEvent): Promise<void> {
  if (engineMode() === "embedded") await enqueueEvent(tx, event);
}

/**
 * With an Inngest server: sends the event; sending one id twice is harmless (for 24 h). Embedded:
 * nothing, the commit did it.
 * @throws EngineUnavailable when the server does not take it
 */
export async function dispatchAfterCommit(event: LatheEvent): Promise<void> {
  if (engineMode() === "embedded") return;
  try {
    // Loaded only where there is a server to send to.
    const { inngest } = await import("@/lib/engine/server/inngest-client");
    await inngest.send(event);
  } catch (error) {
    throw new EngineUnavailable(error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

/**
 * The engine could not be told of an event, now or within the SDK's own tries; whether it got it is
 * not known.
 */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
}
