import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { appSurface } from "@/lib/api/apps/app-surface";
import { type Answer, isLines, type Lines } from "@/lib/api/http/answer";
import { answerRequest } from "@/lib/api/http/dispatch";
import type { ApiRequest } from "@/lib/api/http/request";
import { accountSurface } from "@/lib/api/v1/account-surface";
import { ServiceError } from "@/lib/model/errors";
import { log } from "@/lib/platform/log";
import type { BodyGuard } from "@/lib/server/body-guard";
import { servicePath } from "@/lib/server/path-rules";

/**
 * Answers a request of the API in front of Next: the same dispatcher and the same module graph as
 * the route files under `app`, without the cost of an app route, nor that of the web's requests,
 * answers and streams. Never throws; an answer that cannot be sent ends the connection.
 */
export async function answerApi(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  guard: BodyGuard,
): Promise<void> {
  try {
    const surface =
      servicePath(incoming.url?.split("?", 1)[0] ?? "/") === "app" ? appSurface : accountSurface;
    await sendAnswer(
      await answerRequest(surface, new NodeRequest(incoming, outgoing, guard)),
      outgoing,
    );
  } catch (error) {
    if (!outgoing.closed) log.warn({ err: error }, "an answer broke off");
    outgoing.destroy();
  }
}

/**
 * Writes an answer to its connection; ends when all of it is handed over, or the client has left.
 */
export async function sendAnswer(
  { status, headers, body }: Answer,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.writeHead(status, headers);
  if (body === null || typeof body === "string") {
    outgoing.end(body ?? undefined);
    return;
  }
  outgoing.flushHeaders();
  if (isLines(body)) await sendLines(body, outgoing);
  else await pipeline(Readable.fromWeb(body as NodeReadableStream<Uint8Array>), outgoing);
}

/**
 * What comes is written at once; a reader that is slow is waited for, until the stream itself gives
 * him up.
 */
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

/**
 * Methods that the web's `Request` does not know. No operation has them: the answer is 405 or 404
 * either way.
 */
export const UNSENDABLE_METHODS = new Set(["TRACE", "CONNECT", "TRACK"]);

/** Nobody reads it; made once, as an error's stack costs more than the rest of a short answer. */
const GONE = new Error("The client has gone away.");

/**
 * Node's request as the API reads one. What most requests do not need, a signal and a web stream,
 * is made when it is asked for.
 */
export class NodeRequest implements ApiRequest {
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #guard: BodyGuard;
  readonly method: string;
  readonly url: string;
  readonly headers: ApiRequest["headers"];
  #signal: AbortSignal | null = null;
  #body: ReadableStream<Uint8Array> | null | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, guard: BodyGuard) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#guard = guard;
    const method = incoming.method ?? "GET";
    this.method = UNSENDABLE_METHODS.has(method) ? "OPTIONS" : method;
    // On a host of ours: the one that the client named must never move where its path begins.
    this.url = `http://localhost${incoming.url ?? "/"}`;
    this.headers = { get: (name) => headerOf(incoming, name) };
  }

  /** Aborts when the connection ends, after the answer or before it. */
  get signal(): AbortSignal {
    if (this.#signal) return this.#signal;
    const gone = new AbortController();
    if (this.#outgoing.closed) gone.abort(GONE);
    else this.#outgoing.once("close", () => gone.abort(GONE));
    this.#signal = gone.signal;
    return gone.signal;
  }

  get body(): ReadableStream<Uint8Array> | null {
    if (this.#body === undefined) this.#body = this.#hasBody() ? this.#toWebStream() : null;
    return this.#body;
  }

  /**
   * What is beyond `maxBytes`, and what nobody asked for, is left in the socket, for the listener
   * to throw away.
   */
  readAll(maxBytes: number): Promise<Buffer | null> {
    if (!this.#hasBody()) return Promise.resolve(Buffer.alloc(0));
    const incoming = this.#incoming;
    const guard = this.#guard;
    return new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      const settle = (work: () => void) => {
        incoming.off("data", take).off("end", end).off("error", fail).off("close", fail);
        work();
      };
      const take = (piece: Buffer) => {
        bytes += piece.length;
        if (bytes <= maxBytes) return void pieces.push(piece);
        incoming.pause();
        settle(() => resolve(null));
      };
      const end = () =>
        settle(() =>
          resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, bytes)),
        );
      // A client that leaves is no failure of ours: nobody hears the answer, and nothing is logged.
      const fail = (error?: Error) =>
        settle(() => reject(error instanceof ServiceError ? error : brokenOff()));
      guard.onBreak = fail;
      incoming.on("data", take).on("end", end).on("error", fail).on("close", fail);
    });
  }

  #hasBody(): boolean {
    const { headers } = this.#incoming;
    if (this.method === "GET" || this.method === "HEAD" || this.method === "OPTIONS") return false;
    return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  }

  /** Read only when somebody asks for it and no faster. */
  #toWebStream(): ReadableStream<Uint8Array> {
    const incoming = this.#incoming;
    const guard = this.#guard;
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
}

function brokenOff(): ServiceError {
  return new ServiceError(
    "REQUEST_TIMEOUT",
    "The connection was closed before the body was whole. Nothing was done.",
  );
}

/** As the web joins what was sent several times. */
function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name.toLowerCase()];
  if (value === undefined) return null;
  return typeof value === "string" ? value : value.join(", ");
}
