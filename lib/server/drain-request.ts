import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";

const LIMIT_BYTES = 128 * 1024 * 1024;
const LIMIT_MS = 30_000;

/**
 * When `response` is finished, reads away what is left of its request's body, so that the next request on the connection is not stuck
 * behind it. Node does so only for a body that nobody had begun to read. A body over 128 MiB or 30 s costs the connection instead.
 */
export function drainRequest(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (request.readableEnded || request.destroyed) return;
    // Whoever was reading has answered; its listeners would pause the stream again.
    for (const event of ["data", "readable"]) request.removeAllListeners(event);
    const giveUp = () => request.socket.destroy();
    const timer = setTimeout(giveUp, LIMIT_MS).unref();
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LIMIT_BYTES) giveUp();
    });
    request.once("close", () => clearTimeout(timer));
    request.resume();
  });
}
