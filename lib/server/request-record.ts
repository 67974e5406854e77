import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { findCaller } from "@/lib/api/http/bearer-key";
import { REQUEST_ID_HEADER, toRequestId } from "@/lib/api/http/request";
import { processHooks } from "@/lib/platform/process-hooks.mjs";
import { type OpenSpan, telemetry } from "@/lib/platform/telemetry/telemetry";
import type { PathRule } from "@/lib/server/path-rules";

/** What is told of a request when its answer has been sent, or broke off. */
export interface SeenRequest {
  request_id: string;
  method: string;
  /** Without its query, which may hold what a client wrote, or a signature. */
  path: string;
  kind: PathRule["kind"] | "stream";
  /** Null: the connection was closed without an answer. */
  status: number | null;
  duration_ms: number;
  /** Sent on the connection, headers included. */
  bytes: number;
  /** The account whose key or session it came with; null when nobody's was accepted. */
  account_id: string | null;
  /** The client left before it had the whole answer. */
  aborted?: true;
}

const PATH_MAX_CHARACTERS = 512;

interface RecordSettings {
  now: () => number;
  tell: (seen: SeenRequest) => void;
  /** Whether the connection is a trusted proxy's, whose trace this request goes on with. */
  isTraceTrusted: boolean;
}

/**
 * Watches one request from its arrival to the end of its answer, and gives it its id: on the
 * request, for whoever answers or logs, and on the answer.
 * Made for every request, so it wraps nothing of Node's and costs microseconds.
 */
export class RequestRecord {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #rule: PathRule;
  readonly #now: () => number;
  /** Open while a collector of traces is configured. */
  readonly span: OpenSpan | null;
  /** Whose request it is, where somebody has looked it up already. */
  caller: string | null = null;
  readonly #id: string;
  readonly #sentBefore: number;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    rule: PathRule,
    { now, tell, isTraceTrusted }: RecordSettings,
  ) {
    this.#request = request;
    this.#response = response;
    this.#rule = rule;
    this.#now = now;
    this.#id = toRequestId(request.headers[REQUEST_ID_HEADER]?.toString());
    request.headers[REQUEST_ID_HEADER] = this.#id;
    response.setHeader(REQUEST_ID_HEADER, this.#id);
    this.#sentBefore = request.socket.bytesWritten;
    processHooks().doing?.(`request ${this.#id} ${request.method} ${pathOf(request)}`);
    this.span = this.#openSpan(isTraceTrusted);
    const startedAt = now();
    const { socket } = request;
    response.once("close", () => {
      const seen = this.#seen(startedAt, socket.bytesWritten);
      tell(seen);
      if (this.span) endSpan(this.span, seen);
    });
  }

  /** Does `work` as a part of the request's trace. */
  within(work: () => void): void {
    if (this.span) telemetry()?.within(this.span, work);
    else work();
  }

  #seen(startedAt: number, sent: number): SeenRequest {
    const request = this.#request;
    const response = this.#response;
    const rule = this.#rule;
    const { authorization, cookie } = request.headers;
    return {
      request_id: this.#id,
      method: request.method ?? "",
      path: pathOf(request),
      kind: isStream(response) ? "stream" : rule.kind,
      status: response.headersSent ? response.statusCode : null,
      duration_ms: Math.round((this.#now() - startedAt) * 10) / 10,
      bytes: Math.max(0, sent - this.#sentBefore),
      account_id: this.caller ?? findCaller({ authorization, cookie }),
      ...(!response.writableFinished && { aborted: true }),
    };
  }

  /**
   * A stranger's trace is no place for our spans: whoever sends its id would write into it, and
   * have all of his requests kept. It is named as a link.
   */
  #openSpan(isTraceTrusted: boolean): OpenSpan | null {
    const made = telemetry();
    if (made === null || this.#rule.kind === "static") return null;
    const { method = "GET", headers } = this.#request;
    const sent = headers.traceparent?.toString() ?? null;
    return made.start({
      name: `${method} ${routeOf(pathOf(this.#request))}`,
      kind: "server",
      parent: isTraceTrusted ? sent : null,
      ...(!isTraceTrusted && sent !== null && { link: sent }),
      attributes: {
        "http.request.method": method,
        "url.path": pathOf(this.#request),
        "lathe.request.id": this.#id,
      },
    });
  }
}

function endSpan(span: OpenSpan, { status, account_id, kind }: SeenRequest): void {
  span.set({
    "http.response.status_code": status ?? undefined,
    "lathe.account.id": account_id ?? undefined,
    "lathe.request.kind": kind,
  });
  if (status === null) span.fail("connection_closed");
  else if (status >= 500) span.fail(String(status));
  span.end();
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return (url.split(/[?#]/, 1)[0] ?? "").slice(0, PATH_MAX_CHARACTERS);
}

const ID = /(?<=\/)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?=\/|$)/gi;

/** Paths that differ in ids alone are one route. */
function routeOf(path: string): string {
  return path.replace(ID, "{id}");
}

function isStream(response: ServerResponse): boolean {
  return String(response.getHeader("content-type") ?? "").startsWith("application/x-ndjson");
}
