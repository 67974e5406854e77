import "server-only";
import { Inngest, Middleware } from "inngest";
import { engineState, isDevEngine } from "@/lib/engine/engine-state";
import { APP_ID } from "@/lib/engine/functions";
import { env } from "@/lib/env";
import { logger } from "@/lib/platform/log";
import { redactOperator } from "@/lib/platform/redact-operator";
import { definePart } from "@/lib/service";

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
 * off. Events go without the time that the SDK gives them by this machine's clock: the server would
 * let what is later than its own wait till then. Without one it takes its own.
 */
async function serverFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  if (engineState().isStopping && CHECKPOINT.test(pathname))
    return Response.json({ error: "this process ends" }, { status: 503 });
  const sendsEvents = pathname.startsWith("/e/");
  const limit = AbortSignal.timeout(sendsEvents ? EVENT_MS : OTHER_MS);
  return fetch(input, {
    ...init,
    ...(sendsEvents && typeof init?.body === "string" && { body: withoutTime(init.body) }),
    signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit,
  });
}

function withoutTime(body: string): string {
  const events = JSON.parse(body) as { ts?: number }[]; // as the SDK has just written them
  return JSON.stringify(events.map(({ ts: _, ...event }) => event));
}

/** This service as an app of the Inngest server that is configured. */
export const inngest = definePart("engine.client", (): Inngest<{ id: "lathe" }> => {
  const { INNGEST_BASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = env();
  return new Inngest({
    id: APP_ID,
    isDev: isDevEngine(),
    // An empty string would count as given.
    ...(INNGEST_BASE_URL ? { baseUrl: INNGEST_BASE_URL } : {}),
    ...(INNGEST_EVENT_KEY ? { eventKey: INNGEST_EVENT_KEY } : {}),
    ...(INNGEST_SIGNING_KEY ? { signingKey: INNGEST_SIGNING_KEY } : {}),
    aiMetadata: false,
    middleware: [BareErrors],
    fetch: serverFetch,
    logger: logger(),
  });
});
