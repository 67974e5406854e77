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

/**
 * An answer on its way out: Next is handed a `Response` of it, and Node's own connection is written
 * to without one.
 */
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
        lines.broken.addEventListener("abort", () => controller.error(lines.broken.reason), {
          once: true,
        });
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

/**
 * Turns whatever was thrown into the contract's error answer; what is not meant for callers becomes
 * INTERNAL_ERROR and a log line.
 */
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
  return new ServiceError(
    "INTERNAL_ERROR",
    `Something failed on our side. Quote request ${requestId} when you report it.`,
  );
}

interface HeaderSpec {
  description: string;
  type: "string" | "integer";
  example: string | number;
  /** Not on every answer that may carry it. */
  optional?: true;
}

/** The response headers that operations name, with what they say. */
export const RESPONSE_HEADERS = {
  Location: {
    description: "Where the thing is fetched, as a path.",
    type: "string",
    example: "/v1/runs/01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001",
  },
  ETag: {
    description:
      "Strong validator of what was sent, for `If-Match` or `If-None-Match` of a later request.",
    type: "string",
    example: '"01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002-mhx1k2"',
  },
  "Idempotency-Replayed": {
    description:
      "`true` when this is the first answer to the same `Idempotency-Key` again; else absent.",
    type: "string",
    example: "true",
    optional: true,
  },
  "Content-Disposition": {
    description: "Always an attachment, with the file's name.",
    type: "string",
    example: "attachment; filename=\"sales.csv\"; filename*=UTF-8''sales.csv",
  },
  "Accept-Ranges": {
    description: "`bytes`: one range may be asked for.",
    type: "string",
    example: "bytes",
  },
  "Content-Range": {
    description: "Which bytes these are, and of how many; of a refused range only how many.",
    type: "string",
    example: "bytes 0-99/2048",
  },
  "Cache-Control": {
    description: "How long the answer may be kept.",
    type: "string",
    example: "no-store",
  },
  "X-Accel-Buffering": {
    description: "`no` on streams: proxies must hand the lines on at once.",
    type: "string",
    example: "no",
    optional: true,
  },
} as const satisfies Record<string, HeaderSpec>;

export type ResponseHeaderName = keyof typeof RESPONSE_HEADERS;

/** Whether an answer that names the header must carry it. */
export function isRequiredHeader(name: ResponseHeaderName): boolean {
  return !("optional" in RESPONSE_HEADERS[name]);
}
