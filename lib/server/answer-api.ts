import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { appDoor } from "@/lib/api/apps/app-door";
import { accountDoor } from "@/lib/api/http/account-door";
import { dispatch } from "@/lib/api/http/dispatch";
import { log } from "@/lib/platform/log";
import type { BodyGuard } from "./body-guard";

/**
 * Answers a request of the API in front of Next: the same dispatcher and the same module graph as the route files under `app`, without the cost of an
 * app route. Never throws; an answer that cannot be sent ends the connection.
 */
export async function answerApi(incoming: IncomingMessage, outgoing: ServerResponse, guard: BodyGuard): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  try {
    const door = incoming.url?.startsWith("/api/") ? appDoor : accountDoor;
    await send(await dispatch(door, toRequest(incoming, guard, gone.signal)), outgoing);
  } catch (error) {
    if (!gone.signal.aborted) log.warn({ err: error }, "an answer broke off");
    outgoing.destroy();
  }
}

function toRequest(incoming: IncomingMessage, guard: BodyGuard, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name.startsWith(":") || value === undefined) continue;
    for (const item of [value].flat()) headers.append(name, item);
  }
  const method = incoming.method ?? "GET";
  const hasBody =
    method !== "GET" &&
    method !== "HEAD" &&
    (incoming.headers["content-length"] !== undefined || incoming.headers["transfer-encoding"] !== undefined);
  // On a host of ours: the one that the client named must never move where its path begins.
  const url = `http://localhost${incoming.url ?? "/"}`;
  if (UNSENDABLE_METHODS.has(method)) return new Request(url, { method: "OPTIONS", headers, signal }); // no operation has these: the answer is 405 or 404 either way
  return new Request(url, {
    method,
    headers,
    signal,
    ...(hasBody && { body: bodyOf(incoming, guard), duplex: "half" }),
  } as RequestInit); // the DOM's type does not know `duplex`
}

/** The request's body, read only when somebody asks for it and no faster. What nobody asked for is left in the socket, for the listener to throw away. */
function bodyOf(incoming: IncomingMessage, guard: BodyGuard): ReadableStream<Uint8Array> {
  let chunks: AsyncIterator<Buffer> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        guard.onBreak = (error) => controller.error(error);
      },
      async pull(controller) {
        chunks ??= incoming.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks?.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Methods that `Request` refuses. */
export const UNSENDABLE_METHODS = new Set(["TRACE", "CONNECT", "TRACK"]);

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  await pipeline(Readable.fromWeb(response.body as NodeReadableStream<Uint8Array>), outgoing);
}
