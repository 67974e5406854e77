import "server-only";
import { Inngest, Middleware, NonRetriableError } from "inngest";
import { z } from "zod";
import { EMBEDDED_CLIENT_OPTIONS, embeddedFetch } from "@/lib/engine/embedded/protocol";
import { enqueueEvent } from "@/lib/engine/embedded/router";
import { engineMode, engineState, isDevEngine } from "@/lib/engine/engine-state";
import { env } from "@/lib/env";
import { RUN_KINDS } from "@/lib/model/run/run-status";
import { log } from "@/lib/platform/log";
import type { Queryable } from "@/lib/platform/postgres";
import { processSingleton } from "@/lib/platform/process-singleton";
import { redactOperator } from "@/lib/platform/redact-operator";

/**
 * Has an Inngest server learn of an error its name and its message alone, without the operator's
 * keys and addresses; the log of this process, which the SDK writes before this, keeps all of it.
 * The error itself is changed: the SDK knows one that a step threw by its identity, and would try
 * another again.
 */
class BareErrors extends Middleware.BaseMiddleware {
  override readonly id = "bare-errors";

  override onStepError({ error }: { readonly error: object }): void {
    strip(error);
  }

  override onRunError({ error }: { readonly error: object }): void {
    strip(error);
  }
}

function strip(error: object): void {
  const message =
    "message" in error && typeof error.message === "string" ? redactOperator(error.message) : "";
  // What the SDK sends of an error, beside its name.
  for (const [key, value] of Object.entries({
    message,
    stack: "",
    cause: undefined,
    code: undefined,
  }))
    Reflect.defineProperty(error, key, {
      value,
      configurable: true,
      writable: true,
      enumerable: false,
    });
}

const CHECKPOINT = /^\/v1\/checkpoint\/[^/]+\/async$/;
/**
 * The SDK sends an event up to five times: with a server that hangs, a start is refused after some
 * fifteen seconds.
 */
const EVENT_MS = 3_000;
const OTHER_MS = 30_000;

/**
 * What the SDK's client gets for `fetch` with an Inngest server: no call waits for ever. While this
 * process ends, the results of steps are not sent in between: the SDK then hands a result back as
 * the answer to the server's call and ends there, instead of going on with a step that would be cut
 * off.
 */
async function serverFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  if (engineState().isStopping && CHECKPOINT.test(pathname))
    return Response.json({ error: "this process ends" }, { status: 503 });
  const limit = AbortSignal.timeout(pathname.startsWith("/e/") ? EVENT_MS : OTHER_MS);
  return fetch(input, {
    ...init,
    signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit,
  });
}

/**
 * The client that all functions of lib/jobs are made with. In embedded mode nothing that it sends
 * leaves this process.
 */
export const inngest: Inngest<{ id: "lathe" }> = processSingleton("engine.client", () => {
  if (engineMode() === "embedded")
    return withFixedHeaders(
      new Inngest({ id: "lathe", ...EMBEDDED_CLIENT_OPTIONS, fetch: embeddedFetch, logger: log }),
    );
  const { INNGEST_BASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = env();
  return new Inngest({
    id: "lathe",
    isDev: isDevEngine(),
    // An empty string would count as given.
    ...(INNGEST_BASE_URL ? { baseUrl: INNGEST_BASE_URL } : {}),
    ...(INNGEST_EVENT_KEY ? { eventKey: INNGEST_EVENT_KEY } : {}),
    ...(INNGEST_SIGNING_KEY ? { signingKey: INNGEST_SIGNING_KEY } : {}),
    aiMetadata: false,
    middleware: [BareErrors],
    fetch: serverFetch,
    logger: log,
  });
});

/**
 * Nobody reads them in this process, and the SDK goes through the whole environment each time that
 * it is asked for them.
 */
function withFixedHeaders(client: Inngest<{ id: "lathe" }>): Inngest<{ id: "lathe" }> {
  return Object.defineProperty(client, "headers", { value: client.headers });
}

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
