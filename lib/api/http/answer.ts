import "server-only";
import { ERROR_STATUS, ServiceError } from "@/lib/model/errors";
import { isTransientError } from "@/lib/platform/is-transient-error";
import { log } from "@/lib/platform/log";

/** Texts that are sent as they come. */
export interface Lines extends AsyncIterableIterator<string> {
  /** Aborts when nobody takes any for too long: whoever sends them breaks the connection off. */
  readonly broken: AbortSignal;
  return(): Promise<IteratorResult<string>>;
}

/** An answer on its way out: Next is handed a `Response` of it, and Node's own connection is written to without one. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | Lines | ReadableStream<Uint8Array> | null;
}

export function toResponse({ status, headers, body }: Answer): Response {
  return new Response(isLines(body) ? toWebStream(body) : body, { status, headers });
}

export function isLines(body: Answer["body"]): body is Lines {
  return typeof body === "object" && body !== null && "broken" in body;
}

/** Has nothing more read or made of an answer that nobody is sent. */
export function discard(body: Answer["body"]): void {
  if (isLines(body)) void body.return();
  else if (typeof body === "object") void body?.cancel();
}

function toWebStream(lines: Lines): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        lines.broken.addEventListener("abort", () => controller.error(lines.broken.reason), { once: true });
      },
      async pull(controller) {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await lines.return();
      },
    },
    { highWaterMark: 1 },
  );
}

/** Turns whatever was thrown into the contract's error answer; what is not meant for callers becomes INTERNAL_ERROR and a log line. */
export function toErrorAnswer(error: unknown, requestId: string): Answer {
  const known = error instanceof ServiceError ? error : internal(error, requestId);
  const body = JSON.stringify({ error: known.code, message: known.message, ...known.extras });
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
  };
  for (const [name, value] of Object.entries(known.headers)) headers[name.toLowerCase()] = value;
  return { status: ERROR_STATUS[known.code], headers, body };
}

/** The same for Next. */
export function errorAnswer(error: unknown, requestId: string): Response {
  return toResponse(toErrorAnswer(error, requestId));
}

function internal(error: unknown, requestId: string): ServiceError {
  log.error({ err: error, request_id: requestId }, "a request failed");
  if (isTransientError(error))
    return new ServiceError(
      "SERVICE_UNAVAILABLE",
      "The database cannot be reached or is busy at the moment. Try again shortly.",
      {},
      { "Retry-After": "5" },
    );
  return new ServiceError("INTERNAL_ERROR", `Something failed on our side. Quote request ${requestId} when you report it.`);
}
