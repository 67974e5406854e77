import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { appDoor } from "@/lib/api/apps/app-door";
import { accountDoor } from "@/lib/api/http/account-door";
import { dispatch } from "@/lib/api/http/dispatch";
import { log } from "@/lib/platform/log";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Offers the API to the server that `npm start` runs, in front of Next: the same dispatcher and the same module graph as the route files, without
 * the cost of an app route. `next start` alone serves the route files instead.
 */
export function mountApi(): void {
  (globalThis as unknown as Record<symbol, Listener>)[Symbol.for("lathe.api")] = (request, response) => void answer(request, response); // the seam named in scripts/lib/serve.mjs
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  try {
    const door = incoming.url?.startsWith("/api/") ? appDoor : accountDoor;
    const response = await dispatch(door, toRequest(incoming, gone.signal));
    await send(response, outgoing);
  } catch (error) {
    if (!gone.signal.aborted) log.error({ err: error }, "an answer could not be sent");
    outgoing.destroy();
  }
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
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
  const url = `http://${headers.get("host") ?? "localhost"}${incoming.url ?? "/"}`;
  const safe = URL.canParse(url) ? url : `http://localhost${incoming.url?.startsWith("/") ? incoming.url : "/"}`;
  if (UNSENDABLE.has(method)) return new Request(safe, { method: "OPTIONS", headers, signal }); // no operation has these: the answer is 405 or 404 either way
  return new Request(safe, {
    method,
    headers,
    signal,
    ...(hasBody && { body: bodyOf(incoming), duplex: "half" }),
  } as RequestInit);
}

/** The request's body, read only when somebody asks for it and no faster. What nobody asked for is left in the socket, for the listener to throw away. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let chunks: AsyncIterator<Buffer> | undefined;
  return new ReadableStream<Uint8Array>(
    {
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
const UNSENDABLE = new Set(["TRACE", "CONNECT", "TRACK"]);

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  await pipeline(Readable.fromWeb(response.body as NodeReadableStream<Uint8Array>), outgoing);
}
