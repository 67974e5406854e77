import "server-only";
import type { Actor, Principal } from "@/lib/domain/principal";
import { IDEMPOTENCY_KEPT_HOURS, IDEMPOTENCY_KEY_MAX_CHARACTERS } from "@/lib/model/limits";
import { newId } from "@/lib/platform/ids";

/**
 * What is read of a request: the web's `Request` is one, and so is what the listener makes of
 * Node's own (lib/server/answer-api.ts), at a fraction of the cost.
 */
export interface ApiRequest extends Pick<Request, "method" | "url" | "signal"> {
  readonly headers: Pick<Headers, "get">;
  readonly body: ReadableStream<Uint8Array> | null;
  /**
   * Reads the whole body, where that is cheaper than by `body`; null as soon as it has more than
   * `maxBytes`.
   */
  readAll?(maxBytes: number): Promise<Buffer | null>;
}

/** Whether its `Accept` names this media type, in whatever case and with whatever parameters. */
export function asksFor({ headers }: Pick<ApiRequest, "headers">, mediaType: string): boolean {
  return (headers.get("accept") ?? "")
    .split(",")
    .some((range) => range.split(";")[0]?.trim().toLowerCase() === mediaType);
}

/** The request headers that operations heed, with what they do. All are optional. */
export const REQUEST_HEADERS = {
  "Idempotency-Key": {
    description:
      `Any text of your own, kept for ${IDEMPOTENCY_KEPT_HOURS} hours: the same key and body ` +
      "start one run and are answered alike. The same key with another body, or while the first " +
      "is in flight: 409 `IDEMPOTENCY_CONFLICT`.",
    schema: { type: "string", minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_CHARACTERS },
    example: "order-4711",
  },
  "If-Match": {
    description:
      "The record's `ETag`: when it was changed since, nothing is stored and the answer is 412 " +
      "`VERSION_CONFLICT`. `*` fits every one.",
    schema: { type: "string" },
    example: "*",
  },
  "If-None-Match": {
    description: "An `ETag` that you have: 304 without a body when it still holds.",
    schema: { type: "string" },
    example: '"none-yet"',
  },
  Range: {
    description:
      "One range of bytes; several, or another unit, are ignored. Beyond the end: 416 " +
      "`RANGE_NOT_SATISFIABLE`.",
    schema: { type: "string" },
    example: "bytes=0-3",
  },
  "If-Range": {
    description: "With `Range`: the whole file is sent when its `ETag` is another by now.",
    schema: { type: "string" },
    example: '"none-yet"',
  },
} as const;

export type RequestHeaderName = keyof typeof REQUEST_HEADERS;

/** The header that names a request in answers and logs. */
export const REQUEST_ID_HEADER = "x-request-id";

const PLAIN = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * The caller's own name for a request where it can stand in a header, a log and a sentence as it
 * is, else a new one.
 */
export function toRequestId(given: string | null | undefined): string {
  return given && PLAIN.test(given) ? given : newId();
}

/** The id of a request, which the listener has stamped on it. */
export function requestIdOf(request: ApiRequest): string {
  return toRequestId(request.headers.get(REQUEST_ID_HEADER));
}

/**
 * From where a request came, for the audit log. What runs in this process without a request from
 * outside has no address.
 */
export function requestOrigin(headers: Pick<Headers, "get">): Pick<Actor, "address" | "userAgent"> {
  return { address: headers.get(CLIENT_IP_HEADER), userAgent: headers.get("user-agent") };
}

/** The principal whose actor says where this request came from. */
export function withOrigin(principal: Principal, headers: Pick<Headers, "get">): Principal {
  return principal.actor
    ? { ...principal, actor: { ...principal.actor, ...requestOrigin(headers) } }
    : principal;
}

// Written by the listener (lib/server) on each request; a header that a client sent under one of
// these names never reaches a reader.

/** What the client's address is counted by. */
export const CLIENT_ADDRESS_HEADER = "x-lathe-client-address";

/** What limits by address count a request under. */
export function clientAddressOf(request: ApiRequest): string {
  return request.headers.get(CLIENT_ADDRESS_HEADER) ?? "unknown";
}

/** The path that was asked for, for the way back from the sign-in page. */
export const REQUEST_PATH_HEADER = "x-lathe-path";

/**
 * Stamped on what came with any header of a proxy's: the connection may be a proxy's on this
 * machine, whoever its client is.
 */
export const FORWARDED_HEADER = "x-lathe-forwarded";

/**
 * The whole address, where the one above is cut to what limits count by (of IPv6 the /64); stamped
 * likewise.
 */
export const CLIENT_IP_HEADER = "x-lathe-client-ip";

/**
 * Whether a surface is open on the host that a request names. `own` and `other` are `API_BASE_HOST`
 * and `APP_BASE_HOST` as `name` or `name:port`, empty when not set. A surface with a host of its
 * own is open on that one only; one without is closed on the other surface's host.
 */
export function isOwnHost(host: string, own: string, other: string): boolean {
  if (own !== "") return isSameHost(host, own);
  return other === "" || !isSameHost(host, other);
}

/** A setting without a port fits every port. */
export function isSameHost(host: string, setting: string): boolean {
  const called = host
    .trim()
    .toLowerCase()
    .replace(/\.(?=:|$)/, "");
  const wanted = setting.trim().toLowerCase();
  return called === wanted || (!/:\d+$/.test(wanted) && called.replace(/:\d+$/, "") === wanted);
}

/**
 * Whether a `Host` is a name or an address with at most a port: nothing that would end the host's
 * part of a URL and begin another.
 */
export function isPlainHost(host: string): boolean {
  return /^[A-Za-z0-9._:[\]-]+$/.test(host) && URL.canParse(`http://${host}`);
}

/**
 * Whether a request's `If-Match` lets a record with this strong validator be changed (RFC 9110,
 * 13.1.1): no header and `*` always do; weak validators never match.
 */
export function ifMatch(header: string | null, etag: string): boolean {
  if (header === null || header.trim() === "*") return true;
  return header.split(",").some((candidate) => candidate.trim() === etag);
}
