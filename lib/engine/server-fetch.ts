import "server-only";
import { engineState } from "@/lib/engine/engine-state";

const CHECKPOINT = /^\/v1\/checkpoint\/[^/]+\/async$/;
/** The SDK sends an event up to five times: with a server that hangs, a start is refused after some fifteen seconds. */
const EVENT_MS = 3_000;
const OTHER_MS = 30_000;

/**
 * What the SDK's client gets for `fetch` with an Inngest server: no call waits for ever. While this process ends, the results of steps are not sent in between: the
 * SDK then hands a result back as the answer to the server's call and ends there, instead of going on with a step that would be cut off.
 */
export async function serverFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  if (engineState().isStopping && CHECKPOINT.test(pathname)) return Response.json({ error: "this process ends" }, { status: 503 });
  const limit = AbortSignal.timeout(pathname.startsWith("/e/") ? EVENT_MS : OTHER_MS);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit });
}
