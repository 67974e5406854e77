import "server-only";
import { z } from "zod";
import {
  announceRouted,
  enqueueEvent,
  routeOf,
  routeWithPlace,
  toRouted,
} from "@/lib/engine/embedded/router";
import { engineMode } from "@/lib/engine/engine-state";
import { NonRetriableError } from "@/lib/engine/functions";
import { relay } from "@/lib/engine/server/relay";
import { RUN_KINDS } from "@/lib/model/run/run-status";
import { afterCommit, commitsAlone, type Queryable } from "@/lib/platform/postgres";

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
  /** A run that waited for credits goes on. */
  "budget/raised": z.object({ run_id: runId, wait_id: z.uuid() }),
  /**
   * Runs that wait for credits may be able to go on: the account has more, or the limit of the
   * super-agent's run `root_run_id` was raised.
   */
  "budget/changed": z.object({ account_id: z.uuid(), root_run_id: runId.optional() }),
  /** A run that may have started others has ended. */
  "run/ended": z.object({ run_id: runId, kind: z.enum(RUN_KINDS) }),
  /**
   * A run that another has started has ended, or waits for somebody. Sent by the database, in the
   * transaction that says so on the run (`record_run_event`).
   */
  "run/stopped": z.object({ run_id: runId }),
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
  /** `end_user_id`: of the person's row. Who it is stands in no event. */
  "end-user/erasure-requested": z.object({ account_id: z.uuid(), end_user_id: z.uuid() }),
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
 * Has the engine do what an event calls for, when and only if `tx` commits: the event is a row of
 * the transaction (decision 0058). The embedded executor does it there; to an Inngest server the
 * event is sent behind the commit, and again until it takes it. An id that is known does nothing.
 */
export async function dispatch(tx: Queryable, event: LatheEvent): Promise<void> {
  await enqueueEvent(tx, event);
  sendBehindCommit(tx, event);
}

/**
 * What a statement takes that dispatches an event itself, with what makes it true (`accept_run`).
 */
export interface DispatchFold {
  /** For the statement, which hands it to `engine_send` and `engine_claim_new`. */
  argument: ReturnType<typeof routeWithPlace>["argument"];
  /** To be called with what the statement gave, once it has worked. */
  done: (tx: Queryable, gave: FoldedDispatch) => void;
  /** To be called where it has not, or nobody knows. After `done` it does nothing. */
  undone: () => void;
}

type FoldedDispatch = Parameters<typeof toRouted>[0] & { claimed: boolean; created_at: Date };

/**
 * `dispatch` as a part of another statement, which is sent through `on`. Where it commits by
 * itself, this process has a place for the run that the event starts, and nobody waits before it,
 * the run is taken up by that very statement.
 */
export function foldDispatch(event: LatheEvent, on: Queryable): DispatchFold {
  const { argument, end } = commitsAlone(on)
    ? routeWithPlace(event)
    : { argument: { ...routeOf(event), owner: null, limits: [] }, end: () => {} };
  let isOver = false;
  const over = (taken: { at: Date } | null) => {
    if (!isOver) end(taken);
    isOver = true;
  };
  return {
    argument,
    done(tx, gave) {
      const routed = toRouted(gave);
      over(gave.claimed ? { at: gave.created_at } : null);
      // A run that works already is none that waits in its lane.
      announceRouted(tx, routed && gave.claimed ? { ...routed, lanes: [] } : routed);
      sendBehindCommit(tx, event);
    },
    undone: () => over(null),
  };
}

function sendBehindCommit(tx: Queryable, event: LatheEvent): void {
  if (engineMode() === "server") afterCommit(tx, () => relay().hand(event));
}

// A row that waits is sent anyway; whoever is sending it just now has it locked.
const AGAIN = `
  INSERT INTO engine_events (id, name, data)
  SELECT id, name, data FROM unnest($1::text[], $2::text[], $3::text[]) AS event(id, name, data)
  WHERE NOT EXISTS (SELECT 1 FROM engine_events waiting WHERE waiting.id = event.id
      AND waiting.routed_at IS NULL)
  ORDER BY id
  ON CONFLICT (id) DO UPDATE SET routed_at = NULL
  WHERE engine_events.routed_at < now() - interval '1 minute'`;

/**
 * With an Inngest server: has events sent though it was sent them before, for it may have lost
 * them. One that was sent within the last minute is left alone. Embedded: nothing; it loses none.
 */
export async function dispatchAgain(on: Queryable, events: readonly LatheEvent[]): Promise<void> {
  if (engineMode() === "embedded" || events.length === 0) return;
  await on.query(AGAIN, [
    events.map(({ id }) => id),
    events.map(({ name }) => name),
    events.map(({ data }) => JSON.stringify(data)),
  ]);
}

/**
 * Whether what is dispatched now will be done soon: asked before something is accepted that could
 * as well be refused. The embedded executor's queue takes everything. An Inngest server is asked;
 * an answer holds for a second, and none within three is a no.
 */
export async function isEngineReachable(): Promise<boolean> {
  if (engineMode() === "embedded") return true;
  if (relay().isRefused) return false;
  const { askServer } = await import("@/lib/engine/server/server-mode");
  return (await askServer()) !== "away";
}
