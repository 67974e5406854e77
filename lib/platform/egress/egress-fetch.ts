import "server-only";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createGunzip, createInflate } from "node:zlib";
import { env } from "@/lib/env";
import {
  type EgressMethod,
  type EgressOptions,
  type EgressRequest,
  sendEgress,
  toFirstHop,
} from "@/lib/platform/egress/open-egress";
import { EgressFailed } from "@/lib/platform/egress/target";

export type EgressAnswer = {
  status: number;
  headers: Headers;
  /** At most `maxResponseBytes`. */
  body: Uint8Array;
  /** Why the body ends where it does; all but `complete` mean that bytes are missing. */
  ended: "complete" | "too_large" | "timeout" | "broken";
  /** The URL that answered, after redirects. */
  url: string;
};

/**
 * One guarded call with its answer read into memory, for webhooks and connectors. `timeoutMs`
 * covers everything, from the name's resolution to the last byte. By hand, as no package tried
 * refuses every private form of an address and connects to exactly the one that was checked. Once
 * the head of the answer is there the call succeeds, whatever becomes of the body: see `ended`.
 *
 * @throws EgressRefused nothing was sent there; EgressFailed no answer; the reason of `signal` when
 * the caller gave up.
 */
export async function egressFetch(
  target: URL | string,
  request: EgressRequest,
): Promise<EgressAnswer> {
  const deadline = startEgressDeadline(request.timeoutMs, request.signal);
  try {
    const { response, url } = await sendEgress(
      toFirstHop(target, request, deadline.signal),
      request,
    );
    const chunks: Uint8Array[] = [];
    let ended: EgressAnswer["ended"] = "complete";
    try {
      for await (const chunk of egressBody(response, request.maxResponseBytes)) chunks.push(chunk);
    } catch (error) {
      request.signal?.throwIfAborted();
      ended = endOf(deadline.signal.aborted ? deadline.signal.reason : error);
    }
    return {
      status: response.statusCode ?? 0,
      headers: toHeaders(response.headers),
      body: Buffer.concat(chunks),
      ended,
      url: url.href,
    };
  } finally {
    deadline.stop();
  }
}

function endOf(error: unknown): EgressAnswer["ended"] {
  if (!(error instanceof EgressFailed)) throw error;
  return error.reason === "too_large" || error.reason === "timeout" ? error.reason : "broken";
}

const METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
] satisfies EgressMethod[]);
const BODILESS = new Set([204, 205, 304]);

type EgressFetchOptions = Omit<EgressStreamRequest, "method" | "headers" | "body" | "signal"> & {
  /**
   * Added to every request, over the caller's; for credentials that the library need not see.
   * Dropped when a redirect leaves the origin.
   */
  headers?: Readonly<Record<string, string>>;
  /** Ends every call made through this function. */
  signal?: AbortSignal;
};

/**
 * A function with the shape of `fetch`, to hand to libraries: the same guard, the same bounds on
 * time and bytes. Redirects are followed only up to `followRedirects` (default 0) and never when
 * the caller says `redirect: "manual"`; with `"error"` one throws.
 */
export function createEgressFetch(options: EgressFetchOptions): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, {
      ...init,
      ...(init?.body instanceof ReadableStream && { duplex: "half" }),
    });
    if (!METHODS.has(request.method)) throw new EgressFailed("invalid_request");
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const answer = await egressStream(request.url, {
      ...options,
      // Checked against METHODS just above.
      method: request.method as EgressMethod,
      headers: { ...Object.fromEntries(request.headers), ...lowerCased(options.headers ?? {}) },
      ...(body !== undefined && { body }),
      signal: options.signal ? AbortSignal.any([options.signal, request.signal]) : request.signal,
      followRedirects: request.redirect === "follow" ? (options.followRedirects ?? 0) : 0,
    });
    return await toResponse(answer, request);
  };
}

async function toResponse(
  answer: Awaited<ReturnType<typeof egressStream>>,
  request: Request,
): Promise<Response> {
  const redirected = answer.status >= 300 && answer.status < 400 && answer.headers.has("location");
  const bodiless = BODILESS.has(answer.status) || request.method === "HEAD";
  const refused =
    (redirected && request.redirect === "error") || answer.status < 200 || answer.status > 599;
  if (bodiless || refused) await answer.body.cancel();
  if (refused) throw new TypeError("fetch failed", { cause: new EgressFailed("broken") });
  const response = new Response(bodiless ? null : answer.body, {
    status: answer.status,
    statusText: answer.statusText,
    headers: answer.headers,
  });
  // The constructor has no way to say it, and libraries resolve relative links against it.
  Object.defineProperty(response, "url", { value: answer.url });
  return response;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

type EgressStreamRequest = EgressRequest & {
  /**
   * The longest silence within the body, in milliseconds; default `timeoutMs`, which itself covers
   * only the way to the head.
   */
  idleTimeoutMs?: number;
};

type EgressStreamAnswer = {
  status: number;
  statusText: string;
  headers: Headers;
  /**
   * Errors with EgressFailed (`too_large`, `timeout`, `broken`) or the reason of `signal`. Read it
   * to the end or cancel it.
   */
  body: ReadableStream<Uint8Array>;
  url: string;
};

/**
 * One guarded call whose answer is handed on while it arrives, for web pages and event streams. The
 * connection is read only as fast as the stream is, and is closed with it.
 *
 * @throws EgressRefused nothing was sent there; EgressFailed no answer; the reason of `signal` when
 * the caller gave up.
 */
export async function egressStream(
  target: URL | string,
  request: EgressStreamRequest,
): Promise<EgressStreamAnswer> {
  const deadline = startEgressDeadline(request.timeoutMs, request.signal);
  try {
    const { response, url } = await sendEgress(
      toFirstHop(target, request, deadline.signal),
      request,
    );
    return {
      status: response.statusCode ?? 0,
      statusText: response.statusMessage ?? "",
      headers: toHeaders(response.headers),
      body: streamBody(response, request, deadline),
      url: url.href,
    };
  } catch (error) {
    deadline.stop();
    throw error;
  }
}

function streamBody(
  response: IncomingMessage,
  request: EgressStreamRequest,
  deadline: EgressDeadline,
): ReadableStream<Uint8Array> {
  const idleMs = request.idleTimeoutMs ?? request.timeoutMs;
  const chunks = egressBody(response, request.maxResponseBytes);
  // The clock ends the answer even when nobody is reading it; without a listener the fault would
  // end the process.
  response.on("error", () => {});
  deadline.restart(idleMs);
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        deadline.restart(idleMs);
        try {
          const next = await chunks.next();
          if (!next.done) return controller.enqueue(next.value);
          deadline.stop();
          controller.close();
        } catch (error) {
          deadline.stop();
          throw deadline.signal.aborted ? deadline.signal.reason : error;
        }
      },
      cancel: (reason) => {
        deadline.abort(reason ?? new Error("no longer read"));
        deadline.stop();
        response.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * One signal for a whole call: the caller's own, and a clock that ends it with `EgressFailed`
 * `timeout`.
 */
type EgressDeadline = {
  signal: AbortSignal;
  restart: (timeoutMs: number) => void;
  stop: () => void;
  abort: (reason: unknown) => void;
};

/** Starts the clock. `stop` must be called at the end, else the timer outlives the call. */
function startEgressDeadline(timeoutMs: number, outer?: AbortSignal): EgressDeadline {
  const controller = new AbortController();
  const expire = () => controller.abort(new EgressFailed("timeout"));
  const follow = () => controller.abort(outer?.reason);
  let timer = setTimeout(expire, timeoutMs);
  if (outer?.aborted) follow();
  else outer?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    restart: (ms) => {
      clearTimeout(timer);
      timer = setTimeout(expire, ms);
    },
    stop: () => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", follow);
    },
    abort: (reason) => controller.abort(reason),
  };
}

/**
 * What the operator opens to an account (`EGRESS_ALLOW`) and closes (`EGRESS_DENY`) beyond the
 * guard's own rules: every call to an address that a user gave starts from it. An entry `host:port`
 * is open to all accounts, `host:port@account_id` to that one alone.
 */
export function operatorReach(accountId: string): EgressOptions {
  return { allow: allowedFor(accountId, env().EGRESS_ALLOW), deny: env().EGRESS_DENY };
}

/** The entries of `EGRESS_ALLOW` that hold for an account, without its id. */
export function allowedFor(accountId: string, entries: readonly string[]): string[] {
  return entries.flatMap((entry) => {
    const at = entry.lastIndexOf("@");
    if (at < 0) return [entry];
    return entry
      .slice(at + 1)
      .trim()
      .toLowerCase() === accountId
      ? [entry.slice(0, at)]
      : [];
  });
}

/**
 * The body of an answer as bytes, decoded when the server compressed it unasked. No more than
 * `maxBytes` are ever yielded; whoever reads on past them gets `EgressFailed` `too_large`. The raw
 * bytes are bounded alike, so that a bomb is stopped on either side.
 */
async function* egressBody(
  response: IncomingMessage,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const raw = { bytes: 0 };
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  const decoder = DECODERS.get(encoding)?.();
  const source: Readable =
    decoder === undefined
      ? response
      : pipeline(limitRaw(response, maxBytes, raw), decoder, () => {});
  let seen = 0;
  try {
    for await (const piece of source) {
      // A Readable without an encoding yields Buffers; its iterator is typed as any.
      const chunk = piece as Buffer;
      // Passed on raw, it would be read as text.
      if (encoding === "br" && chunk.byteLength > 0)
        throw new EgressFailed("broken", { cause: new Error("Brotli that was not asked for") });
      const room = maxBytes - seen;
      seen += chunk.byteLength;
      if (chunk.byteLength > 0 && room > 0)
        yield new Uint8Array(chunk.buffer, chunk.byteOffset, Math.min(chunk.byteLength, room));
      if (seen > maxBytes) throw new EgressFailed("too_large");
    }
  } catch (error) {
    // An answer to HEAD, or a 204, may name an encoding and have nothing to decode.
    if (decoder !== undefined && raw.bytes === 0 && response.complete) return;
    throw error instanceof EgressFailed ? error : new EgressFailed("broken", { cause: error });
  } finally {
    response.on("error", () => {});
    response.destroy();
    source.destroy();
  }
}

async function* limitRaw(
  response: IncomingMessage,
  maxBytes: number,
  raw: { bytes: number },
): AsyncGenerator<Buffer> {
  for await (const piece of response) {
    // As above: Buffers, typed as any.
    const chunk = piece as Buffer;
    raw.bytes += chunk.byteLength;
    if (raw.bytes > maxBytes) throw new EgressFailed("too_large");
    yield chunk;
  }
}

/**
 * The content encodings that are undone on the way; we ask for none, but some servers compress
 * unasked. Brotli is not among them: its decoder wrote beyond its bounds (CVE-2026-111497) in
 * every Node.js before 22.23.4, 24.22.1 and 26.12.1, on which the service may still run, and what
 * a stranger's server sends without being asked is no reason to run it.
 */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
]);

/**
 * Node's headers of an answer as web `Headers`, without what no longer holds once the body is
 * decoded.
 */
function toHeaders(raw: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) headers.append(name, one);
  }
  if (DECODERS.has(headers.get("content-encoding")?.toLowerCase() ?? ""))
    for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return headers;
}
