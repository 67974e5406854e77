import "server-only";
import type { z } from "zod";
import type { Lines, ResponseHeaderName } from "@/lib/api/http/answer";
import type { Deprecation } from "@/lib/api/http/deprecation";
import type { ApiRequest, RequestHeaderName } from "@/lib/api/http/request";
import type { Budget, BudgetClass } from "@/lib/domain/limits/request-budgets";
import type { Page } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { ERROR_STATUS, type ErrorCode } from "@/lib/model/errors";
import { type Creates, isRowCap } from "@/lib/model/limits";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a handler is given: everything already authenticated, limited and parsed. */
export interface Call<Params, Query, Body> {
  principal: Principal;
  params: Params;
  query: Query;
  body: Body;
  request: ApiRequest;
  requestId: string;
  /** Scheme and host under which this deployment is reached, for absolute urls. */
  baseUrl: string;
  /** `Idempotency-Key`, where the operation takes one. */
  idempotencyKey: string | null;
}

/** Lines that are sent as they come. */
export interface StreamReply {
  status: number;
  headers: Record<string, string>;
  lines: Lines;
}

/**
 * What a handler gives back: JSON to be checked and sent (a text is JSON already), lines, or a
 * finished Response (files).
 */
export type Reply<Status extends number = number> =
  | { status: Status; body?: unknown; headers?: Record<string, string> }
  | StreamReply
  | Response;

export interface ResponseSpec {
  status: number;
  description: string;
  /** Absent: no body. Of `application/x-ndjson` it is the schema of one line. */
  schema?: z.ZodType;
  contentType?: string;
  /** Headers beyond the ones that every answer carries. */
  headers?: readonly ResponseHeaderName[];
  /** Answers as they may read, by a name of one word. */
  examples?: Record<string, unknown>;
}

/** A body that the handler reads itself. */
export interface RawBody {
  description: string;
  /** What the handler parses it by, or what its fields are; absent: bytes. */
  schema?: z.ZodType;
  examples: Record<string, unknown>;
}

/**
 * One operation of an API: the object that serves a request is the one that documents it.
 * `path` is the OpenAPI path, such as `/v1/agents/{agent_id}`.
 */
export interface Operation {
  method: Method;
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  /** `none` needs no key and no budget. */
  auth: "account" | "app" | "session" | "none";
  budget: BudgetClass;
  /** Needs the admin's allowlist. */
  superAgent: boolean;
  /** Needs an admin's session. */
  admin: boolean;
  hourlyWrite: boolean;
  /**
   * Closed to sessions of an account whose address nobody has proven, and of a user who lacks the
   * second factor that the service asks for; unless said otherwise, what changes something is.
   */
  provenOnly: boolean;
  /**
   * What it adds to an account, and so which caps it documents. An operation that answers 201 or
   * 202 must say it: a test asks.
   */
  creates: readonly Creates[];
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /**
   * Bodies by name as they may be sent; the tests send each of them. Ids stand for those of the
   * same name in the path.
   */
  examples?: Record<string, unknown>;
  /** A body that the handler reads itself, by its media types. */
  rawBody?: Record<string, RawBody>;
  /** Request headers that the handler heeds, beyond the ones that the wrapper does. */
  requestHeaders?: readonly RequestHeaderName[];
  /** A missing body counts as `{}`. */
  bodyOptional: boolean;
  idempotent: boolean;
  /** That it goes away, and when; absent: it stays (docs/versioning.md). */
  deprecation?: Deprecation;
  responses: ResponseSpec[];
  errors: ErrorCode[];
  handle(call: Call<never, never, never>): Promise<Reply>;
}

type Out<T> = T extends z.ZodType ? z.output<T> : undefined;
type In<T> = T extends z.ZodType ? z.input<T> : never;
type Optional =
  | "auth"
  | "budget"
  | "superAgent"
  | "admin"
  | "hourlyWrite"
  | "provenOnly"
  | "creates"
  | "idempotent"
  | "bodyOptional"
  | "params"
  | "query"
  | "body"
  | "examples"
  | "responses"
  | "handle";

type Definition<
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
  Status extends number,
> = Omit<Operation, Optional> &
  Partial<
    Pick<
      Operation,
      | "auth"
      | "budget"
      | "superAgent"
      | "admin"
      | "hourlyWrite"
      | "provenOnly"
      | "creates"
      | "idempotent"
      | "bodyOptional"
    >
  > & {
    params?: P;
    query?: Q;
    body?: B;
    examples?: Record<string, In<B>>;
    responses: (ResponseSpec & { status: Status })[];
    handle(call: Call<Out<P>, Out<Q>, Out<B>>): Promise<Reply<NoInfer<Status>>>;
  };

/**
 * Declares an operation; the handler's types come from its schemas, and it may answer with the
 * statuses of `responses` alone.
 */
export function operation<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  Status extends number = number,
>(definition: Definition<P, Q, B, Status>): Operation {
  return {
    auth: "account",
    budget: "read",
    superAgent: false,
    admin: false,
    hourlyWrite: false,
    provenOnly: definition.method !== "GET",
    creates: [],
    idempotent: false,
    bodyOptional: false,
    ...definition,
    // The wrapper parses by these very schemas before it calls, so the handler's narrower parameter
    // type holds.
    handle: definition.handle as Operation["handle"],
  };
}

export type { Budget };

/** A page in the words of `/v1`. */
export function toList<T, R>(page: Page<T>, toRow: (row: T) => R) {
  return {
    data: page.data.map(toRow),
    has_more: page.nextCursor !== null,
    next_cursor: page.nextCursor,
  };
}

/**
 * Every code that an operation may answer with, in the order of their statuses: its own, and those
 * of the wrapper's steps that it goes through.
 * `NOT_FOUND` and `METHOD_NOT_ALLOWED` belong to no operation: they say that there is none.
 */
export function declaredErrors(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>([...operation.errors, "RATE_LIMITED", "INTERNAL_ERROR"]);
  if (operation.auth !== "none") codes.add("AUTHENTICATION_REQUIRED").add("SERVICE_UNAVAILABLE");
  if (operation.superAgent) codes.add("SUPER_AGENT_ACCESS_DENIED");
  if (operation.creates.some(isRowCap)) codes.add("CONFLICT");
  if (operation.admin) codes.add("NOT_FOUND");
  if (
    operation.params ||
    operation.query ||
    operation.body ||
    operation.rawBody ||
    operation.idempotent
  )
    codes.add("INVALID_INPUT");
  if (operation.body || operation.rawBody) codes.add("PAYLOAD_TOO_LARGE").add("REQUEST_TIMEOUT");
  if (operation.idempotent) codes.add("IDEMPOTENCY_CONFLICT");
  return [...codes].sort((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b] || a.localeCompare(b));
}

/** The headers of such a stream, as operations name them. */
export const NDJSON_HEADERS = ["Cache-Control", "X-Accel-Buffering"] as const;

/** A stream of newline-delimited JSON that no proxy buffers or stores. */
export function ndjson(lines: Lines): StreamReply {
  return {
    status: 200,
    headers: {
      "content-type": "application/x-ndjson; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
    lines,
  };
}
