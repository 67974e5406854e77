import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { appSurface } from "@/lib/api/apps/app-surface";
import { type Answer, isLines, type Lines } from "@/lib/api/http/answer";
import { answerRequest } from "@/lib/api/http/dispatch";
import { accountSurface } from "@/lib/api/v1/account-surface";
import { log } from "@/lib/platform/log";
import { servicePath } from "@/lib/platform/service-path";
import type { BodyGuard } from "./body-guard";
import { NodeRequest } from "./node-request";

/**
 * Answers a request of the API in front of Next: the same dispatcher and the same module graph as the route files under `app`, without the cost of an
 * app route, nor that of the web's requests, answers and streams. Never throws; an answer that cannot be sent ends the connection.
 */
export async function answerApi(incoming: IncomingMessage, outgoing: ServerResponse, guard: BodyGuard): Promise<void> {
  try {
    const surface = servicePath(incoming.url?.split("?", 1)[0] ?? "/") === "app" ? appSurface : accountSurface;
    await sendAnswer(await answerRequest(surface, new NodeRequest(incoming, outgoing, guard)), outgoing);
  } catch (error) {
    if (!outgoing.closed) log.warn({ err: error }, "an answer broke off");
    outgoing.destroy();
  }
}

/** Writes an answer to its connection; ends when all of it is handed over, or the client has left. */
export async function sendAnswer({ status, headers, body }: Answer, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(status, headers);
  if (body === null || typeof body === "string") {
    outgoing.end(body ?? undefined);
    return;
  }
  outgoing.flushHeaders();
  if (isLines(body)) await sendLines(body, outgoing);
  else await pipeline(Readable.fromWeb(body as NodeReadableStream<Uint8Array>), outgoing);
}

/** What comes is written at once; a reader that is slow is waited for, until the stream itself gives him up. */
async function sendLines(lines: Lines, outgoing: ServerResponse): Promise<void> {
  const leave = () => void lines.return();
  outgoing.once("close", leave);
  lines.broken.addEventListener("abort", () => outgoing.destroy(), { once: true });
  if (outgoing.closed) leave();
  for await (const text of lines) if (!outgoing.write(text) && !(await drained(outgoing))) return;
  outgoing.end();
}

/** Whether there is room again; false when the connection was closed. */
function drained(outgoing: ServerResponse): Promise<boolean> {
  if (outgoing.closed || outgoing.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = () => {
      outgoing.off("drain", settle).off("close", settle);
      resolve(!outgoing.destroyed);
    };
    outgoing.on("drain", settle).on("close", settle);
  });
}
